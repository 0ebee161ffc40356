import { Speaker } from '@waystation/protocol/agent/hand-off.ts'
import { SubAgentNews } from '@waystation/protocol/agent/sub-agent.ts'
import { Call } from '@waystation/protocol/call/call.ts'
import { AgentStatus } from '@waystation/protocol/external-agent/agent-status.ts'
import { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import { OobPolicy, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { Time } from '@waystation/protocol/time.ts'
import type { InferUIMessageChunk } from 'ai'
import { z } from 'zod'
import { AlarmNews } from './alarm.ts'
import { Message } from './message.ts'
import { TakenOut } from './turn-action.ts'

/** A chunk of the AI SDK's stream, identified by its `type`. */
export type Chunk = InferUIMessageChunk<Message>
export const Chunk = z.looseObject({ type: z.string() }) as z.ZodType<unknown> as z.ZodType<Chunk>

/**
 * An `idle` or `parked` session accepts a message at once. A session is busy while it is `running` or waits for the
 * retry of a failed turn.
 */
export const SessionStatus = z.enum(['idle', 'running', 'parked', 'failed'])
export type SessionStatus = z.infer<typeof SessionStatus>

/** How a turn ended. Every turn has exactly one terminal `status` event with its outcome. */
export const TurnOutcome = z.enum(['done', 'parked', 'failed', 'cancelled', 'interrupted'])
export type TurnOutcome = z.infer<typeof TurnOutcome>

/** The reason why a turn failed. `message` is for people. */
export const TurnError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() })
export type TurnError = z.infer<typeof TurnError>

/** A part of a message that is being written. */
export const ChunkEvent = z.object({
  type: z.literal('chunk'),
  messageId: z.string(),
  turnId: z.string(),
  chunk: Chunk
})
export type ChunkEvent = z.infer<typeof ChunkEvent>

/**
 * A complete message: of a user, from a callback, or a finished message after compaction of the log. It replaces a
 * message with the same ID. `placed` moves it to the end, when a queued message starts.
 */
export const MessageEvent = z.object({
  type: z.literal('message'),
  message: Message,
  placed: z.boolean().optional()
})
export type MessageEvent = z.infer<typeof MessageEvent>

/** A queued message was removed. */
export const MessageRemovedEvent = z.object({ type: z.literal('message-removed'), messageId: z.string() })
export type MessageRemovedEvent = z.infer<typeof MessageRemovedEvent>

/**
 * Messages were removed from the conversation and from the model's context, why, and by whom. Their earlier events stay
 * in the log.
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

/** The session's status changed. Terminal statuses of a turn have an `outcome`. */
export const StatusEvent = z.object({
  type: z.literal('status'),
  status: SessionStatus,
  turnId: z.string().optional(),
  outcome: TurnOutcome.optional(),
  error: TurnError.optional(),
  retryAt: Time.optional(),
  /** With an `outcome`: the agent's revisions that the turn's steps ran on, in order. */
  revisions: z.array(z.int()).optional()
})
export type StatusEvent = z.infer<typeof StatusEvent>

/**
 * A property of the session changed: title, out-of-band policy, pinned revision (null: none), overlay, build
 * kit, speaker (null: its own agent), alarms, sub-agents or the external agent's status (null: none). Missing fields did not change.
 */
export const SessionChangedEvent = z.object({
  type: z.literal('session'),
  title: z.string(),
  oobPolicy: OobPolicy.optional(),
  pinnedRevision: z.int().nullable().optional(),
  overlaid: z.boolean().optional(),
  buildKit: z.boolean().optional(),
  speaker: Speaker.nullable().optional(),
  alarms: AlarmNews.optional(),
  subAgents: SubAgentNews.optional(),
  agentStatus: AgentStatus.nullable().optional()
})
export type SessionChangedEvent = z.infer<typeof SessionChangedEvent>

/** The delivery of a message or call to an external service changed. */
export const DeliveryEvent = z.object({ type: z.literal('delivery'), delivery: Delivery })
export type DeliveryEvent = z.infer<typeof DeliveryEvent>

/** An out-of-band message arrived or changed. It replaces a message with the same ID. */
export const OobEvent = z.object({ type: z.literal('oob'), message: OutOfBand })
export type OobEvent = z.infer<typeof OobEvent>

/**
 * The state of a session at one moment: its last messages with their calls, all open calls, and out-of-band messages.
 * The latter are those that are pending or part of the messages. Events continue after `cursor`.
 */
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
  buildKit: z.literal(true).optional(),
  /** The agent that runs the session, if it was handed off. */
  speaker: Speaker.optional(),
  alarms: AlarmNews.optional(),
  subAgents: SubAgentNews.optional(),
  /** The status line of the external agent. It disappears at its `expiresAt`, without an event. */
  agentStatus: AgentStatus.optional(),
  error: TurnError.optional(),
  retryAt: Time.optional(),
  cursor: z.int().min(0)
})
export type Snapshot = z.infer<typeof Snapshot>

/**
 * Replaces events that are not available: compacted across the cursor, past their retention, or of an earlier
 * generation. The client starts again from this snapshot.
 */
export const ResetEvent = Snapshot.extend({ type: z.literal('reset') })
export type ResetEvent = z.infer<typeof ResetEvent>

/** The events that the log stores. */
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

/** An event on the wire. `seq` is the SSE `id`, and `at` its time (ISO 8601). */
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
