import {
  ListOobEdges,
  ListOobMessages,
  OobEdges,
  ToldPage
} from '@waystation/protocol/out-of-band/oob-edge.ts'
import {
  InOob,
  OobPolicy,
  OobReceipt,
  OutOfBand,
  SendOob,
  SetOobPolicy
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const outOfBandOperations = {
  send: operation({
    id: 'sendOutOfBand',
    method: 'POST',
    path: '/api/sessions/{sessionId}/oob',
    summary: "Send an out-of-band message to the session's agent",
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: SendOob,
    answer: OobReceipt,
    status: 202,
    errors: ['NOT_FOUND', 'EMPTY_MESSAGE', 'KEY_REUSED', 'TOO_LARGE', 'RATE_LIMITED', 'FORBIDDEN']
  }),
  list: operation({
    id: 'listOutOfBand',
    method: 'GET',
    path: '/api/sessions/{sessionId}/oob',
    summary: "List a session's newest out-of-band messages and their receipts",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InSession,
    answer: z.object({ messages: z.array(OutOfBand) }),
    errors: ['NOT_FOUND']
  }),
  remove: operation({
    id: 'removeOutOfBand',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/oob/{oobId}',
    summary: 'Remove an out-of-band message that the agent has not received',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: InOob,
    answer: z.object({ id: z.string() }),
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  approve: operation({
    id: 'approveOutOfBand',
    method: 'POST',
    path: '/api/sessions/{sessionId}/oob/{oobId}/approve',
    summary: 'Approve an out-of-band message that is held for approval',
    actor: 'user',
    scope: 'answer',
    input: InOob,
    answer: OutOfBand,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  getPolicy: operation({
    id: 'getOobPolicy',
    method: 'GET',
    path: '/api/sessions/{sessionId}/oob/policy',
    summary: "Get a session's out-of-band policy, and where each value comes from",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InSession,
    answer: OobPolicy,
    errors: ['NOT_FOUND']
  }),
  setPolicy: operation({
    id: 'setOobPolicy',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/oob/policy',
    summary: "Set a session's out-of-band policy; omitted fields are inherited",
    actor: 'user',
    scope: 'answer',
    input: SetOobPolicy,
    answer: OobPolicy,
    errors: ['NOT_FOUND']
  }),
  edges: operation({
    id: 'listOobEdges',
    method: 'GET',
    path: '/api/out-of-band',
    summary: 'List who sent out-of-band messages to whom in the last `hours`',
    actor: 'user',
    scope: 'read',
    input: ListOobEdges,
    answer: OobEdges
  }),
  messages: operation({
    id: 'listOobMessages',
    method: 'GET',
    path: '/api/out-of-band/messages',
    summary: "List the workspace's out-of-band messages and their receipts, newest first",
    actor: 'user',
    scope: 'read',
    input: ListOobMessages,
    answer: ToldPage
  })
}
