import { compareTurn } from '#lib/features/trials/compare-turn.ts'
import { keepTrial } from '#lib/features/trials/keep-trial.ts'
import { getTestRun, listTestRuns, runTestSet } from '#lib/features/trials/test-runs.ts'
import {
  addTestMessage,
  createTestSet,
  deleteTestSet,
  listTestSets,
  saveTestSet
} from '#lib/features/trials/test-sets.ts'
import { getTurnResult } from '#lib/features/trials/turn-results.ts'
import { bind } from '#lib/http/endpoint.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import { route } from '#lib/http/route.ts'

export const trialEndpoints = bind(trialOperations, {
  compare: operation => route(operation, compareTurn),
  result: operation => route(operation, getTurnResult),
  keep: operation => route(operation, keepTrial),
  listSets: operation => route(operation, listTestSets),
  createSet: operation => route(operation, createTestSet),
  saveSet: operation => route(operation, saveTestSet),
  addMessage: operation => route(operation, addTestMessage),
  deleteSet: operation => route(operation, deleteTestSet),
  runSet: operation => route(operation, runTestSet),
  listRuns: operation => route(operation, listTestRuns),
  getRun: operation => route(operation, getTestRun)
})
