import type { InferUIMessageChunk } from 'ai'
import { z } from 'zod'
import { Speaker } from '#lib/protocol/agent/hand-off.ts'
import { SubAgentNews } from '#lib/protocol/agent/sub-agent.ts'
import { Call } from '#lib/protocol/call/call.ts'
import { Delivery } from '#lib/protocol/external-agent/delivery.ts'
import { OobPolicy, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { Time } from '#lib/protocol/time.ts'
import { AlarmNews } from './alarm.ts'
import { Message } from './message.ts'
import { TakenOut } from './turn-action.ts'

/** A chunk of the AI SDK's stream, told by its `type`. */
export type Chunk = InferUIMessageChunk<Message>
export const Chunk = z.looseObject({ type: z.string() }) as z.ZodType<unknown> as z.ZodType<Chunk>

/** `parked` and `idle` take a new message at once; `running` and a failed turn that will retry by itself are busy. */
export const SessionStatus = z.enum(['idle', 'running', 'parked', 'failed'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** How a turn ended. Every turn has exactly one terminal `status` event, and that event carries its outcome. */
export const TurnOutcome = z.enum(['done', 'parked', 'failed', 'cancelled', 'interrupted'])
export type TurnOutcome = z.infer<typeof TurnOutcome>

/** Why a turn failed, in words for a person. */
export const TurnError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
export type TurnError = z.infer<typeof TurnError>

/** A piece of a message that is being written. */
export const ChunkEvent = z.object({
  type: z.literal('chunk'),
  messageId: z.string(),
  turnId: z.string(),
  chunk: Chunk
})
export type ChunkEvent = z.infer<typeof ChunkEvent>

/** A whole message: a person's, a callback's, or a finished one that was compacted. The same ID again replaces it;
 * `placed` moves it to the end (a queued message whose time has come). */
export const MessageEvent = z.object({
  type: z.literal('message'),
  message: Message,
  placed: z.boolean().optional()
})
export type MessageEvent = z.infer<typeof MessageEvent>

/** A queued message that was taken back. */
export const MessageRemovedEvent = z.object({ type: z.literal('message-removed'), messageId: z.string() })
export type MessageRemovedEvent = z.infer<typeof MessageRemovedEvent>

/**
 * Messages that went out of the conversation, and out of what the model is shown, together: why, and by whose hand. What
 * the log said of them before stays in it.
 */
export const MessagesTakenOutEvent = z.object({
  type: z.literal('messages-taken-out'),
  messageIds: z.array(z.string()),
  why: TakenOut,
  by: z.string()
})
export type MessagesTakenOutEvent = z.infer<typeof MessagesTakenOutEvent>

export const CallEvent = z.object({ type: z.literal('call'), call: Call })
export type CallEvent = z.infer<typeof CallEvent>

export const StatusEvent = z.object({
  type: z.literal('status'),
  status: SessionStatus,
  turnId: z.string().optional(),
  outcome: TurnOutcome.optional(),
  error: TurnError.optional(),
  retryAt: Time.optional(),
  /** With an `outcome`: the agent's revisions that the turn's steps ran on, in that order. */
  revisions: z.array(z.int()).optional()
})
export type StatusEvent = z.infer<typeof StatusEvent>

/** Its title, its out-of-band policy, the revision it is pinned to (null: none), whether something is laid over its agent, who speaks
 * in it (null: its own agent), its alarms or its sub-agents were changed; what is left out is as it was. */
export const SessionChangedEvent = z.object({
  type: z.literal('session'),
  title: z.string(),
  oobPolicy: OobPolicy.optional(),
  pinnedRevision: z.int().nullable().optional(),
  overlaid: z.boolean().optional(),
  speaker: Speaker.nullable().optional(),
  alarms: AlarmNews.optional(),
  subAgents: SubAgentNews.optional()
})
export type SessionChangedEvent = z.infer<typeof SessionChangedEvent>

/** What came of trying to send something to another system. */
export const DeliveryEvent = z.object({ type: z.literal('delivery'), delivery: Delivery })
export type DeliveryEvent = z.infer<typeof DeliveryEvent>

/** An out-of-band message that came, or whose receipt changed. The same ID again replaces it. */
export const OobEvent = z.object({ type: z.literal('oob'), message: OutOfBand })
export type OobEvent = z.infer<typeof OobEvent>

/**
 * A session at one moment: its last messages, the calls they hold and every open one, the out-of-band
 * messages that wait or that its messages tell of, and where to read on. */
export const Snapshot = z.object({
  messages: z.array(Message),
  calls: z.array(Call),
  outOfBand: z.array(OutOfBand),
  status: SessionStatus,
  turnId: z.string().optional(),
  title: z.string(),
  oobPolicy: OobPolicy,
  pinnedRevision: z.int().optional(),
  overlaid: z.literal(true).optional(),
  /** Who speaks in it, where it was handed to another agent than its own. */
  speaker: Speaker.optional(),
  alarms: AlarmNews.optional(),
  subAgents: SubAgentNews.optional(),
  error: TurnError.optional(),
  retryAt: Time.optional(),
  cursor: z.int().min(0)
})
export type Snapshot = z.infer<typeof Snapshot>

/** Sent instead of events that are gone (compacted across the cursor, past retention, an earlier life): start anew. */
export const ResetEvent = Snapshot.extend({ type: z.literal('reset') })
export type ResetEvent = z.infer<typeof ResetEvent>

/** What is stored in the log. */
export type LoggedEvent =
  | ChunkEvent
  | MessageEvent
  | MessageRemovedEvent
  | MessagesTakenOutEvent
  | CallEvent
  | StatusEvent
  | SessionChangedEvent
  | DeliveryEvent
  | OobEvent

const onWire = { seq: z.int().min(0), at: Time }

/** An event on the wire: `seq` is the SSE `id`, `at` its time (ISO 8601). */
export const SessionEvent = z.discriminatedUnion('type', [
  ChunkEvent.extend(onWire),
  MessageEvent.extend(onWire),
  MessageRemovedEvent.extend(onWire),
  MessagesTakenOutEvent.extend(onWire),
  CallEvent.extend(onWire),
  StatusEvent.extend(onWire),
  SessionChangedEvent.extend(onWire),
  DeliveryEvent.extend(onWire),
  OobEvent.extend(onWire),
  ResetEvent.extend(onWire)
])
export type SessionEvent = z.infer<typeof SessionEvent>
