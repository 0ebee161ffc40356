import { InAgent } from '@waystation/protocol/agent/agent.ts'
import {
  AddTestMessage,
  CreateTestSet,
  InTestRun,
  InTestSet,
  ListedTestRun,
  RunTestSet,
  SaveTestSet,
  TestRun,
  TestSet
} from '@waystation/protocol/agent/test-set.ts'
import {
  CompareTurn,
  GetTurnResult,
  KeptTrial,
  StartedTrials,
  TurnResult
} from '@waystation/protocol/session/comparison.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

const inSet = '/api/agents/{agentId}/test-sets/{testSetId}'

export const trialOperations = {
  compare: operation({
    id: 'compareTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/compare',
    summary: "Run a turn's message on other revisions or models, in trial sessions",
    actor: 'user',
    scope: 'edit',
    input: CompareTurn,
    answer: StartedTrials,
    status: 201,
    errors: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY', 'KEY_REUSED']
  }),
  result: operation({
    id: 'getTurnResult',
    method: 'GET',
    path: '/api/sessions/{sessionId}/turns/{messageId}',
    summary: "Get a turn's answer, calls, tokens, cost and time",
    actor: 'user',
    scope: 'read',
    input: GetTurnResult,
    answer: TurnResult,
    errors: ['NOT_FOUND']
  }),
  keep: operation({
    id: 'keepTrial',
    method: 'POST',
    path: '/api/sessions/{sessionId}/keep',
    summary: 'Turn a trial into a session that lists show',
    actor: 'user',
    scope: 'edit',
    input: InSession,
    answer: KeptTrial,
    errors: ['NOT_FOUND', 'EXPIRED']
  }),
  listSets: operation({
    id: 'listTestSets',
    method: 'GET',
    path: '/api/agents/{agentId}/test-sets',
    summary: "List an agent's test sets",
    actor: 'user',
    scope: 'read',
    input: InAgent,
    answer: z.object({ testSets: z.array(TestSet) }),
    errors: ['NOT_FOUND']
  }),
  createSet: operation({
    id: 'createTestSet',
    method: 'POST',
    path: '/api/agents/{agentId}/test-sets',
    summary: 'Create a test set: messages to run on several revisions',
    actor: 'user',
    scope: 'edit',
    input: CreateTestSet,
    answer: TestSet,
    status: 201,
    maxBytes: 1024 * 1024,
    errors: ['NOT_FOUND', 'TOO_LARGE']
  }),
  saveSet: operation({
    id: 'saveTestSet',
    method: 'PUT',
    path: inSet,
    summary: 'Replace the name and the messages of a test set',
    actor: 'user',
    scope: 'edit',
    input: SaveTestSet,
    answer: TestSet,
    maxBytes: 1024 * 1024,
    errors: ['NOT_FOUND', 'TOO_LARGE']
  }),
  addMessage: operation({
    id: 'addTestMessage',
    method: 'POST',
    path: `${inSet}/messages`,
    summary: 'Add a message to a test set',
    actor: 'user',
    scope: 'edit',
    input: AddTestMessage,
    answer: TestSet,
    errors: ['NOT_FOUND']
  }),
  deleteSet: operation({
    id: 'deleteTestSet',
    method: 'DELETE',
    path: inSet,
    summary: 'Delete a test set with its runs',
    actor: 'user',
    scope: 'edit',
    input: InTestSet,
    answer: z.object({ testSetId: z.string() }),
    errors: ['NOT_FOUND']
  }),
  runSet: operation({
    id: 'runTestSet',
    method: 'POST',
    path: `${inSet}/runs`,
    summary: 'Run all messages of a test set on one or two revisions, in trial sessions',
    actor: 'user',
    scope: 'edit',
    input: RunTestSet,
    answer: ListedTestRun,
    status: 201,
    errors: ['NOT_FOUND', 'KEY_REUSED']
  }),
  listRuns: operation({
    id: 'listTestRuns',
    method: 'GET',
    path: `${inSet}/runs`,
    summary: 'List the last 20 runs of a test set, newest first',
    actor: 'user',
    scope: 'read',
    input: InTestSet,
    answer: z.object({ runs: z.array(ListedTestRun) }),
    errors: ['NOT_FOUND']
  }),
  getRun: operation({
    id: 'getTestRun',
    method: 'GET',
    path: `${inSet}/runs/{runId}`,
    summary: 'Get a run of a test set with its results so far',
    actor: 'user',
    scope: 'read',
    input: InTestRun,
    answer: TestRun,
    errors: ['NOT_FOUND']
  })
}
