import { compareTurn } from '#lib/features/trials/compare-turn.ts'
import { keepTrial } from '#lib/features/trials/keep-trial.ts'
import { getTurnResult } from '#lib/features/trials/turn-results.ts'
import { bind } from '#lib/http/endpoint.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import { route } from '#lib/http/route.ts'

export const trialEndpoints = bind(trialOperations, {
  compare: operation => route(operation, compareTurn),
  result: operation => route(operation, getTurnResult),
  keep: operation => route(operation, keepTrial)
})
