import type { InferUIMessageChunk } from 'ai'
import type { Call } from './call.ts'
import type { Message } from './message.ts'

export type Chunk = InferUIMessageChunk<Message>

/** `parked` and `idle` take a new message at once; `running` and a failed turn that will retry by itself are busy. */
export type SessionStatus = 'idle' | 'running' | 'parked' | 'failed'

/** How a turn ended. Every turn has exactly one terminal `status` event, and that event carries its outcome. */
export type TurnOutcome = 'done' | 'parked' | 'failed' | 'cancelled' | 'interrupted'

/** Why a turn failed, in words for a person. */
export type TurnError = { code: string; message: string; retryable: boolean }

export type ChunkEvent = { type: 'chunk'; messageId: string; turnId: string; chunk: Chunk }
/** A whole message: a person's, a callback's, or a finished one that was compacted. The same ID again replaces it;
 * `placed` moves it to the end (a queued message whose time has come). */
export type MessageEvent = { type: 'message'; message: Message; placed?: boolean }
/** A queued message that was taken back. */
export type MessageRemovedEvent = { type: 'message-removed'; messageId: string }
export type CallEvent = { type: 'call'; call: Call }
export type StatusEvent = {
  type: 'status'
  status: SessionStatus
  turnId?: string
  outcome?: TurnOutcome
  error?: TurnError
  retryAt?: string
}
export type SessionChangedEvent = { type: 'session'; title: string }
/** Sent instead of events that are gone (compacted across the cursor, past retention, an earlier life): start anew. */
export type ResetEvent = { type: 'reset' } & Snapshot

/** A session at one moment: its last messages, the calls they hold and every open one, and where to read on. */
export type Snapshot = {
  messages: Message[]
  calls: Call[]
  status: SessionStatus
  turnId?: string
  title: string
  error?: TurnError
  retryAt?: string
  cursor: number
}

/** What is stored in the log. */
export type LoggedEvent =
  | ChunkEvent
  | MessageEvent
  | MessageRemovedEvent
  | CallEvent
  | StatusEvent
  | SessionChangedEvent

/** An event on the wire: `seq` is the SSE `id`, `at` its time (ISO 8601). */
export type SessionEvent =
  | (LoggedEvent & { seq: number; at: string })
  | (ResetEvent & { seq: number; at: string })
