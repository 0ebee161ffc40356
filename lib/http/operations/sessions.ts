import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { Pinned, PinRevision } from '#lib/protocol/agent-revision.ts'
import { ContextView, GetContext } from '#lib/protocol/context.ts'
import { Delivery } from '#lib/protocol/delivery.ts'
import { SessionEvent } from '#lib/protocol/event.ts'
import { ExportLine, ExportSession } from '#lib/protocol/export.ts'
import { HandSession, SessionHanded } from '#lib/protocol/hand-off.ts'
import { SessionPage } from '#lib/protocol/listed-session.ts'
import { LayOverlay, Overlaid } from '#lib/protocol/overlay.ts'
import { BackInPrompt, PutBack } from '#lib/protocol/put-back.ts'
import {
  CancelTurn,
  Created,
  CreateSession,
  FollowEvents,
  GetSession,
  InSession,
  ListLog,
  ListSessions,
  RemoveMessage,
  RenameSession,
  RetryTurn,
  SendMessage,
  SendReceipt
} from '#lib/protocol/session.ts'
import { SessionView } from '#lib/protocol/session-view.ts'
import { SizedEvent } from '#lib/protocol/sized-event.ts'
import { Branched, BranchSession, RemovedTurn, RemoveTurn, RerunTurn } from '#lib/protocol/turn-action.ts'

/** The turn that it was done to; null: none. */
const OfTurn = z.object({ turnId: z.string().nullable() })

export const sessionOperations = {
  create: operation({
    id: 'createSession',
    method: 'POST',
    path: '/api/plugins/sessions/operations/create',
    summary: 'Creates a session, attaches to it, or revives it empty',
    actor: 'user',
    scope: 'send',
    input: CreateSession,
    answer: Created,
    status: 201,
    envelope: true,
    refusals: [
      'INVALID_SESSION_ID',
      'SESSION_ID_REQUIRED',
      'SESSION_AGENT_MISMATCH',
      'AGENT_NOT_FOUND',
      'NOT_FOUND'
    ]
  }),
  delete: operation({
    id: 'deleteSession',
    method: 'POST',
    path: '/api/plugins/sessions/operations/delete',
    summary: 'Deletes a session: its messages, calls, keys and tokens are gone',
    actor: 'user',
    scope: 'send',
    input: InSession,
    answer: z.object({ sessionId: z.string() }),
    envelope: true,
    refusals: ['NOT_FOUND', 'EXPIRED']
  }),
  list: operation({
    id: 'listSessions',
    method: 'GET',
    path: '/api/sessions',
    summary: 'The sessions of the workspace, last active first',
    actor: 'user',
    scope: 'read',
    input: ListSessions,
    answer: SessionPage
  }),
  get: operation({
    id: 'getSession',
    method: 'GET',
    path: '/api/sessions/{sessionId}',
    summary: 'A session, its last 50 messages and what it waits for; `before` pages back',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: GetSession,
    answer: SessionView,
    refusals: ['NOT_FOUND']
  }),
  rename: operation({
    id: 'renameSession',
    method: 'PATCH',
    path: '/api/sessions/{sessionId}',
    summary: 'Gives a session another title',
    actor: 'user',
    scope: 'send',
    input: RenameSession,
    answer: z.object({ sessionId: z.string(), title: z.string() }),
    refusals: ['NOT_FOUND']
  }),
  pin: operation({
    id: 'pinRevision',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/revision',
    summary: 'Has a session run on one revision of its agent, or (null) on the published one again',
    actor: 'user',
    scope: 'edit',
    input: PinRevision,
    answer: Pinned,
    refusals: ['NOT_FOUND']
  }),
  handOff: operation({
    id: 'handSession',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/speaker',
    summary:
      'Has another chat agent of the workspace speak in a session from its next step on, or its own again',
    actor: 'user',
    scope: 'send',
    input: HandSession,
    answer: SessionHanded,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  overlay: operation({
    id: 'layOverlay',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/overlay',
    summary: 'Lays tools and skills over the agent in this session alone, or (null) takes them off',
    actor: 'user',
    scope: 'edit',
    input: LayOverlay,
    answer: Overlaid,
    maxBytes: 256 * 1024,
    refusals: ['NOT_FOUND', 'TOO_LARGE', 'CONFLICT']
  }),
  send: operation({
    id: 'sendMessage',
    method: 'POST',
    path: '/api/sessions/{sessionId}/messages',
    summary: 'A message for the agent; `whenBusy` says what happens while it works',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: SendMessage,
    answer: SendReceipt,
    status: 202,
    refusals: ['NOT_FOUND', 'EMPTY_MESSAGE', 'SESSION_BUSY', 'KEY_REUSED', 'TOO_LARGE']
  }),
  removeMessage: operation({
    id: 'removeMessage',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/messages/{itemId}',
    summary: 'Takes a queued message back',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RemoveMessage,
    answer: z.object({ itemId: z.string() }),
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  cancel: operation({
    id: 'cancelTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/cancel',
    summary: 'Stops the running turn; open calls stay open unless `calls` is true',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: CancelTurn,
    answer: OfTurn,
    refusals: ['NOT_FOUND']
  }),
  retry: operation({
    id: 'retryTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/retry',
    summary: 'Tries a failed turn again now',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RetryTurn,
    answer: OfTurn,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  rerunTurn: operation({
    id: 'rerunTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/turns/{messageId}/rerun',
    summary: 'Runs a turn again, with other words if they are given; what came after it goes',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RerunTurn,
    answer: SendReceipt,
    status: 202,
    refusals: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY', 'EMPTY_MESSAGE', 'KEY_REUSED', 'TOO_LARGE']
  }),
  removeTurn: operation({
    id: 'removeTurn',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/turns/{messageId}',
    summary: 'Deletes a turn from the conversation and from what the model is shown',
    actor: 'user',
    scope: 'send',
    input: RemoveTurn,
    answer: RemovedTurn,
    refusals: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY']
  }),
  branch: operation({
    id: 'branchSession',
    method: 'POST',
    path: '/api/sessions/{sessionId}/turns/{messageId}/branch',
    summary: 'Makes a session whose conversation is a copy up to and with this turn',
    actor: 'user',
    scope: 'send',
    input: BranchSession,
    answer: Branched,
    status: 201,
    refusals: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY', 'KEY_REUSED']
  }),
  log: operation({
    id: 'listLog',
    method: 'GET',
    path: '/api/sessions/{sessionId}/log',
    summary: 'The log itself, newest first, with the size of each event',
    actor: 'user',
    scope: 'read',
    input: ListLog,
    answer: z.object({ events: z.array(SizedEvent) }),
    refusals: ['NOT_FOUND']
  }),
  context: operation({
    id: 'getContext',
    method: 'GET',
    path: '/api/sessions/{sessionId}/context',
    summary: 'What the model is shown: the newest entries of the prompt window, and the size of all',
    actor: 'user',
    scope: 'read',
    input: GetContext,
    answer: ContextView,
    refusals: ['NOT_FOUND']
  }),
  putBack: operation({
    id: 'putBack',
    method: 'POST',
    path: '/api/sessions/{sessionId}/compactions/{compactionId}/put-back',
    summary: 'Puts messages that were summarised back into the prompt',
    actor: 'user',
    scope: 'send',
    input: PutBack,
    answer: BackInPrompt,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  deliveries: operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/sessions/{sessionId}/deliveries',
    summary: 'What was sent out to other systems, newest first, with every attempt',
    actor: 'user',
    scope: 'read',
    input: InSession,
    answer: z.object({ deliveries: z.array(Delivery) }),
    refusals: ['NOT_FOUND']
  }),
  export: operation({
    id: 'exportSession',
    method: 'GET',
    path: '/api/sessions/{sessionId}/export',
    summary: 'All of a session as a file of JSON lines; with `events` the log itself too',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: ExportSession,
    answer: ExportLine,
    lines: true,
    refusals: ['NOT_FOUND']
  }),
  follow: operation({
    id: 'followEvents',
    method: 'GET',
    path: '/api/sessions/{sessionId}/events',
    summary: "The session's events after a cursor, as they happen (Server-Sent Events)",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: FollowEvents,
    answer: SessionEvent,
    stream: true,
    refusals: ['NOT_FOUND']
  })
}
