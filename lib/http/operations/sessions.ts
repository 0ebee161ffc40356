import { Pinned, PinRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { HandOffSession, SessionHandedOff } from '@waystation/protocol/agent/hand-off.ts'
import { OverlayState, SetOverlay } from '@waystation/protocol/agent/overlay.ts'
import { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { ContextView, GetContext } from '@waystation/protocol/session/context.ts'
import { SessionEvent } from '@waystation/protocol/session/event.ts'
import { ExportLine, ExportSession } from '@waystation/protocol/session/export.ts'
import { SessionPage } from '@waystation/protocol/session/listed-session.ts'
import { MarkRead } from '@waystation/protocol/session/mark-read.ts'
import {
  CancelTurn,
  Created,
  CreateSession,
  FollowEvents,
  GetSession,
  ListLog,
  ListSessions,
  RemoveMessage,
  RenameSession,
  RetryTurn,
  SendMessage,
  SendReceipt
} from '@waystation/protocol/session/session.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { SessionView } from '@waystation/protocol/session/session-view.ts'
import { SizedEvent } from '@waystation/protocol/session/sized-event.ts'
import {
  Branched,
  BranchSession,
  RemovedTurn,
  RemoveTurn,
  RerunTurn
} from '@waystation/protocol/session/turn-action.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

/** The turn that the operation applied to, or null if there was none. */
const OfTurn = z.object({ turnId: z.string().nullable() })

export const sessionOperations = {
  create: operation({
    id: 'createSession',
    method: 'POST',
    path: '/api/plugins/sessions/operations/create',
    summary: 'Create a session, attach to it, or revive a deleted one',
    actor: 'user',
    scope: 'send',
    input: CreateSession,
    answer: Created,
    status: 201,
    envelope: true,
    errors: [
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
    summary: 'Delete a session with its messages, calls, keys and tokens',
    actor: 'user',
    scope: 'send',
    input: InSession,
    answer: z.object({ sessionId: z.string() }),
    envelope: true,
    errors: ['NOT_FOUND', 'EXPIRED']
  }),
  list: operation({
    id: 'listSessions',
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, most recently active first',
    actor: 'user',
    scope: 'read',
    input: ListSessions,
    answer: SessionPage
  }),
  get: operation({
    id: 'getSession',
    method: 'GET',
    path: '/api/sessions/{sessionId}',
    summary: 'Get a session, its last 50 messages and its pending calls',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: GetSession,
    answer: SessionView,
    errors: ['NOT_FOUND']
  }),
  rename: operation({
    id: 'renameSession',
    method: 'PATCH',
    path: '/api/sessions/{sessionId}',
    summary: 'Rename a session',
    actor: 'user',
    scope: 'send',
    input: RenameSession,
    answer: z.object({ sessionId: z.string(), title: z.string() }),
    errors: ['NOT_FOUND']
  }),
  read: operation({
    id: 'markRead',
    method: 'POST',
    path: '/api/sessions/{sessionId}/read',
    summary: 'Mark a session as read up to a message, for this member or API key',
    actor: 'user',
    scope: 'read',
    input: MarkRead,
    answer: MarkRead,
    errors: ['NOT_FOUND', 'EXPIRED']
  }),
  pin: operation({
    id: 'pinRevision',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/revision',
    summary: 'Pin a session to an agent revision, or unpin it (`null`)',
    actor: 'user',
    scope: 'edit',
    input: PinRevision,
    answer: Pinned,
    errors: ['NOT_FOUND']
  }),
  handOff: operation({
    id: 'handSession',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/speaker',
    summary: 'Hand a session off to another chat agent, or back',
    actor: 'user',
    scope: 'send',
    input: HandOffSession,
    answer: SessionHandedOff,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  overlay: operation({
    id: 'layOverlay',
    method: 'PUT',
    path: '/api/sessions/{sessionId}/overlay',
    summary: "Set a session's overlay of tools and skills, or remove it",
    actor: 'user',
    scope: 'edit',
    input: SetOverlay,
    answer: OverlayState,
    maxBytes: 256 * 1024,
    errors: ['NOT_FOUND', 'TOO_LARGE', 'CONFLICT']
  }),
  send: operation({
    id: 'sendMessage',
    method: 'POST',
    path: '/api/sessions/{sessionId}/messages',
    summary: 'Send a message; `whenBusy` sets what happens while the agent works',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: SendMessage,
    answer: SendReceipt,
    status: 202,
    errors: ['NOT_FOUND', 'EMPTY_MESSAGE', 'SESSION_BUSY', 'KEY_REUSED', 'TOO_LARGE']
  }),
  removeMessage: operation({
    id: 'removeMessage',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/messages/{itemId}',
    summary: 'Remove a queued message',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RemoveMessage,
    answer: z.object({ itemId: z.string() }),
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  cancel: operation({
    id: 'cancelTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/cancel',
    summary:
      'Stop the running turn, or ask an external agent to stop; calls stay open unless `calls` is true',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: CancelTurn,
    answer: OfTurn,
    errors: ['NOT_FOUND']
  }),
  retry: operation({
    id: 'retryTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/retry',
    summary: 'Retry a failed turn now',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RetryTurn,
    answer: OfTurn,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  rerunTurn: operation({
    id: 'rerunTurn',
    method: 'POST',
    path: '/api/sessions/{sessionId}/turns/{messageId}/rerun',
    summary: 'Run a turn again, optionally edited; later turns are removed',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: RerunTurn,
    answer: SendReceipt,
    status: 202,
    errors: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY', 'EMPTY_MESSAGE', 'KEY_REUSED', 'TOO_LARGE']
  }),
  removeTurn: operation({
    id: 'removeTurn',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/turns/{messageId}',
    summary: "Delete a turn from the conversation and the model's context",
    actor: 'user',
    scope: 'send',
    input: RemoveTurn,
    answer: RemovedTurn,
    errors: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY']
  }),
  branch: operation({
    id: 'branchSession',
    method: 'POST',
    path: '/api/sessions/{sessionId}/turns/{messageId}/branch',
    summary: 'Copy a conversation through this turn into a new session',
    actor: 'user',
    scope: 'send',
    input: BranchSession,
    answer: Branched,
    status: 201,
    errors: ['NOT_FOUND', 'CONFLICT', 'SESSION_BUSY', 'KEY_REUSED']
  }),
  log: operation({
    id: 'listLog',
    method: 'GET',
    path: '/api/sessions/{sessionId}/log',
    summary: "List a session's events, newest first, with their sizes",
    actor: 'user',
    scope: 'read',
    input: ListLog,
    answer: z.object({ events: z.array(SizedEvent) }),
    errors: ['NOT_FOUND']
  }),
  context: operation({
    id: 'getContext',
    method: 'GET',
    path: '/api/sessions/{sessionId}/context',
    summary: "Get the model's context: the newest entries and all sizes",
    actor: 'user',
    scope: 'read',
    input: GetContext,
    answer: ContextView,
    errors: ['NOT_FOUND']
  }),
  deliveries: operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/sessions/{sessionId}/deliveries',
    summary: "List a session's deliveries and their attempts, newest first",
    actor: 'user',
    scope: 'read',
    input: InSession,
    answer: z.object({ deliveries: z.array(Delivery) }),
    errors: ['NOT_FOUND']
  }),
  export: operation({
    id: 'exportSession',
    method: 'GET',
    path: '/api/sessions/{sessionId}/export',
    summary: 'Export a session as JSON Lines; `events` adds the event log',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: ExportSession,
    answer: ExportLine,
    lines: true,
    errors: ['NOT_FOUND']
  }),
  follow: operation({
    id: 'followEvents',
    method: 'GET',
    path: '/api/sessions/{sessionId}/events',
    summary: "Stream a session's events after a cursor (Server-Sent Events)",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: FollowEvents,
    answer: SessionEvent,
    stream: true,
    errors: ['NOT_FOUND']
  })
}
