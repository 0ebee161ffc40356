import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { ListOobEdges, ListOobMessages, OobEdges, ToldPage } from '#lib/protocol/oob-edge.ts'
import { InOob, OobPolicy, OobReceipt, OutOfBand, SendOob, SetOobPolicy } from '#lib/protocol/out-of-band.ts'
import { InSession } from '#lib/protocol/session.ts'

export const outOfBandOperations = {
  send: operation({
    id: 'sendOutOfBand',
    method: 'POST',
    path: '/api/sessions/{sessionId}/oob',
    summary: 'Tells the agent something beside the conversation, also while it works',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: SendOob,
    answer: OobReceipt,
    status: 202,
    refusals: ['NOT_FOUND', 'EMPTY_MESSAGE', 'KEY_REUSED', 'TOO_LARGE', 'RATE_LIMITED', 'FORBIDDEN']
  }),
  list: operation({
    id: 'listOutOfBand',
    method: 'GET',
    path: '/api/sessions/{sessionId}/oob',
    summary: 'The newest out-of-band messages and their receipts',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InSession,
    answer: z.object({ messages: z.array(OutOfBand) }),
    refusals: ['NOT_FOUND']
  }),
  remove: operation({
    id: 'removeOutOfBand',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/oob/{oobId}',
    summary: 'Takes an out-of-band message back that the agent was not told yet',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: InOob,
    answer: z.object({ id: z.string() }),
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  approve: operation({
    id: 'approveOutOfBand',
    method: 'POST',
    path: '/api/sessions/{sessionId}/oob/{oobId}/approve',
    summary: 'Lets an out-of-band message in that the policy of the session holds',
    actor: 'user',
    scope: 'answer',
    input: InOob,
    answer: OutOfBand,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  setPolicy: operation({
    id: 'setOobPolicy',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/oob/policy',
    summary: 'Says what the session lets in out of band; what is left out is as by default',
    actor: 'user',
    scope: 'answer',
    input: SetOobPolicy,
    answer: OobPolicy,
    refusals: ['NOT_FOUND']
  }),
  edges: operation({
    id: 'listOobEdges',
    method: 'GET',
    path: '/api/out-of-band',
    summary: 'Who told whom out of band in the workspace in the last `hours`, how often, and what last',
    actor: 'user',
    scope: 'read',
    input: ListOobEdges,
    answer: OobEdges
  }),
  messages: operation({
    id: 'listOobMessages',
    method: 'GET',
    path: '/api/out-of-band/messages',
    summary:
      'What was told out of band in the workspace, newest first, with receipts; all of it, or between two',
    actor: 'user',
    scope: 'read',
    input: ListOobMessages,
    answer: ToldPage
  })
}
