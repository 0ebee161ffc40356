import { AgentId, InputSchema, JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { ChosenRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { Answer } from '@waystation/protocol/call/call.ts'
import { decimal } from '@waystation/protocol/decimal.ts'
import { Duration } from '@waystation/protocol/duration.ts'
import { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import { ExternalCheck } from '@waystation/protocol/external-agent/check.ts'
import { flag } from '@waystation/protocol/flag.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { UserPart } from './message.ts'
import { InSession } from './session-id.ts'

/** Creates a session, or attaches to an existing one with the same ID. */
export const CreateSession = z.strictObject({
  agentId: AgentId,
  sessionId: z.string().optional(),
  subject: z.string().min(1).max(255).optional(),
  title: z.string().trim().max(200).optional(),
  /** Pins a created or revived session to this revision of its agent. `draft`: to a snapshot of the draft. */
  revision: ChosenRevision.optional(),
  /** A trial is in no list, and is deleted after seven days without activity. Default: false. */
  trial: z.boolean().optional(),
  /** Applies the build kit to a created or revived session (002-8). Default: false. */
  buildKit: z.boolean().optional()
})
export type CreateSession = z.infer<typeof CreateSession>

/** `created` is false if the session already existed. */
export const Created = z.object({ sessionId: z.string(), agentId: z.string(), created: z.boolean() })
export type Created = z.infer<typeof Created>

/** Checks a session ID before creation. `sessionId` is the user's raw input. */
export const CheckSession = z.object({ agentId: AgentId, sessionId: z.string().max(1000) })
export type CheckSession = z.infer<typeof CheckSession>

/**
 * The result of creating a session with this ID: `new`, `attach` to an existing session of this agent, or `revive` a
 * deleted one, which will be empty. `taken` means that the session belongs to another agent. `agentId` names it if the
 * caller can see it. `external` is the answer of an external agent with a `checkUrl`, if the caller can create sessions.
 */
export const CheckedSession = z.object({
  sessionId: z.string(),
  outcome: z.enum(['new', 'attach', 'revive', 'taken']),
  agentId: z.string().optional(),
  external: ExternalCheck.optional()
})
export type CheckedSession = z.infer<typeof CheckedSession>

export const RenameSession = InSession.extend({ title: z.string().trim().min(1).max(200) })
export type RenameSession = z.infer<typeof RenameSession>

/** Returns a session with its last messages. `before` is a message ID, and selects earlier messages. */
export const GetSession = InSession.extend({ before: z.string().max(128).optional() })
export type GetSession = z.infer<typeof GetSession>

export const ListSessions = z.object({
  cursor: z.string().max(200).optional(),
  status: z.enum(['idle', 'running', 'parked', 'failed']).optional(),
  /** Only failed sessions, and those whose last message or call an external service did not accept. */
  trouble: flag.optional(),
  /** Only sessions with a pending call or a held out-of-band message. */
  waiting: flag.optional(),
  agentId: z.string().max(64).optional(),
  subject: z.string().max(255).optional(),
  q: z.string().max(200).optional(),
  /** Lists the sessions of this session's sub-agents instead of users' sessions. */
  parent: z.string().max(128).optional(),
  limit: decimal(z.int().min(1).max(200)).default(50)
})
export type ListSessions = z.infer<typeof ListSessions>

/**
 * How to handle a message while the session is busy: reject it, run it afterwards, add it before the next step, or end
 * the running turn.
 */
export const WhenBusy = z.enum(['reject', 'queue', 'steer', 'interrupt'])
export type WhenBusy = z.infer<typeof WhenBusy>

/** A tool that the client runs itself. Its calls stay open until a client that declares the tool answers (api.md). */
export const ClientTool = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _'),
  description: z.string().max(4000).default(''),
  inputSchema: InputSchema,
  outputSchema: JsonSchema.optional()
})
export type ClientTool = z.infer<typeof ClientTool>
/** A client tool as a session stores it. `declaredBy` has the IDs of all callers that declared it, newest last. */
export type DeclaredTool = ClientTool & { declaredBy?: string[] }

/** Sends a message of a user. It needs `text`, `parts` or `files`. */
export const SendMessage = InSession.extend({
  text: z.string().optional(),
  parts: z.array(UserPart).min(1).max(50).optional(),
  /** IDs of files that were uploaded to this session. They follow the text. */
  files: z.array(z.string().max(64)).max(50).optional(),
  key: Key.optional(),
  whenBusy: WhenBusy.default('reject'),
  clientTools: z.array(ClientTool).max(64).optional(),
  /** For external agents only. */
  active: AttachedItem.optional(),
  /**
   * How many steps the message stays in the prompt. Default: forever. The minimum is 1, because the model must see the
   * message.
   */
  duration: Duration.min(1).optional()
})
export type SendMessage = z.infer<typeof SendMessage>

/** `itemId` identifies the message in the queue, where it can be removed until the agent has received it. */
export const SendReceipt = z.object({
  itemId: z.string(),
  messageId: z.string(),
  status: z.enum(['started', 'queued', 'steering'])
})
export type SendReceipt = z.infer<typeof SendReceipt>

export const RemoveMessage = InSession.extend({ itemId: z.string().max(64) })
export type RemoveMessage = z.infer<typeof RemoveMessage>

export const InCall = InSession.extend({ toolCallId: z.string().min(1).max(200) })
export type InCall = z.infer<typeof InCall>

/** `clientTools` lists the tools of the client that answers, so that it can answer calls of its own tools. */
export const AnswerCall = InCall.extend({ answer: Answer, clientTools: z.array(z.string()).optional() })
export type AnswerCall = z.infer<typeof AnswerCall>

/** The most calls that one request can answer. */
const maxAnswered = 50

/**
 * The same answer to several calls. `since` is when the caller saw each of them open, so that no call is approved that
 * waits for something else by now.
 */
export const AnswerCalls = z.strictObject({
  calls: z
    .array(InCall.extend({ since: Time.optional() }))
    .min(1)
    .max(maxAnswered),
  approved: z.boolean(),
  reason: z.string().max(4000).optional()
})
export type AnswerCalls = z.infer<typeof AnswerCalls>

/** `input` has the edited arguments. */
export const ReviewCall = InCall.extend({ input: z.record(z.string(), z.unknown()) })
export type ReviewCall = z.infer<typeof ReviewCall>

/** Moves the deadline of an open call: to `until`, or to `seconds` from now. Set exactly one. */
export const ExtendCall = InCall.extend({
  until: z.iso.datetime({ offset: true }).optional(),
  seconds: z
    .number()
    .int()
    .min(1)
    .max(30 * 86400)
    .optional()
})
export type ExtendCall = z.infer<typeof ExtendCall>

/**
 * Stops the running turn, or only `turnId`. `calls` also cancels all open calls. Without `turnId`, it asks an external
 * agent to stop.
 */
export const CancelTurn = InSession.extend({
  turnId: z.string().max(64).optional(),
  calls: z.boolean().default(false)
})
export type CancelTurn = z.infer<typeof CancelTurn>

/** Retries the last turn at once, if it failed. With `turnId`, only if that is the last turn. */
export const RetryTurn = InSession.extend({ turnId: z.string().max(64).optional() })
export type RetryTurn = z.infer<typeof RetryTurn>

/** Lists pending calls of the workspace. With `mine`, only those that the caller can answer. */
export const ListWaiting = z.object({
  mine: z.stringbool().optional(),
  cursor: z.string().max(400).optional()
})
export type ListWaiting = z.infer<typeof ListWaiting>

/** Follows the events after this `seq`. Without `after`, the stream starts with a `reset`. */
export const FollowEvents = InSession.extend({ after: decimal(z.int().min(0)).optional() })
export type FollowEvents = z.infer<typeof FollowEvents>

/** Newest first. `before` is the `seq` of the oldest event of the previous page. */
export const ListLog = InSession.extend({
  before: decimal(z.int().min(1)).optional(),
  limit: decimal(z.int().min(1).max(500)).default(200)
})
export type ListLog = z.infer<typeof ListLog>

/** An answer through an answer link (api.md "External tools"). */
export const AnswerExternal = z.object({ capability: z.string().max(2000), answer: Answer })
export type AnswerExternal = z.infer<typeof AnswerExternal>
