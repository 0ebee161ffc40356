import {
  CompareTurn,
  GetTurnResult,
  KeptTrial,
  StartedTrials,
  TurnResult
} from '@waystation/protocol/session/comparison.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { operation } from '#lib/http/operation.ts'

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
  })
}
