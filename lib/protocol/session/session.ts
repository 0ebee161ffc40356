import { z } from 'zod'
import { AgentId, InputSchema, JsonSchema } from '#lib/protocol/agent/agent.ts'
import { Answer } from '#lib/protocol/call/call.ts'
import { decimal } from '#lib/protocol/decimal.ts'
import { Duration } from '#lib/protocol/duration.ts'
import { SentAlong } from '#lib/protocol/external-agent/active-item.ts'
import { UserPart } from './message.ts'

/** An ID chosen by its caller: 1–128 of `[A-Za-z0-9_-]` after trimming (000-8). */
export const SessionId = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_-]+$/, 'use only letters, digits, - and _')

/** A key that makes a request once: the same key again gets the first answer (api.md; draft-ietf-httpapi-idempotency-key). */
export const Key = z.string().min(1).max(255)

export const CreateSession = z.strictObject({
  agentId: AgentId,
  sessionId: z.string().optional(),
  subject: z.string().min(1).max(255).optional(),
  title: z.string().trim().max(200).optional(),
  /** Pins a session that is made or revived to this revision of its agent. */
  revision: z.int().min(1).optional()
})
export type CreateSession = z.infer<typeof CreateSession>

/** `created`: there was none, or it was deleted; false: the caller attached to it. */
export const Created = z.object({ sessionId: z.string(), agentId: z.string(), created: z.boolean() })
export type Created = z.infer<typeof Created>

/** `sessionId` as somebody typed it, judged as create would judge it. */
export const CheckSession = z.object({ agentId: AgentId, sessionId: z.string().max(1000) })
export type CheckSession = z.infer<typeof CheckSession>

/**
 * What create would do with this ID: make a `new` session, `attach` to one of this agent, `revive` a deleted one (empty),
 * or refuse it as `taken` by another agent's (`agentId`, as far as the caller may know it).
 */
export const CheckedSession = z.object({
  sessionId: z.string(),
  outcome: z.enum(['new', 'attach', 'revive', 'taken']),
  agentId: z.string().optional()
})
export type CheckedSession = z.infer<typeof CheckedSession>

export const InSession = z.object({ sessionId: z.string() })
export type InSession = z.infer<typeof InSession>

export const RenameSession = InSession.extend({ title: z.string().trim().min(1).max(200) })
export type RenameSession = z.infer<typeof RenameSession>

export const GetSession = InSession.extend({ before: z.string().max(128).optional() })
export type GetSession = z.infer<typeof GetSession>

export const ListSessions = z.object({
  cursor: z.string().max(200).optional(),
  status: z.enum(['idle', 'running', 'parked', 'failed']).optional(),
  /** Those that failed, and those whose last message or call another system did not accept. */
  trouble: z.stringbool().optional(),
  agentId: z.string().max(64).optional(),
  subject: z.string().max(255).optional(),
  q: z.string().max(200).optional(),
  /** Instead of people's own sessions: those of the sub-agents of this one. */
  parent: z.string().max(128).optional(),
  limit: decimal(z.int().min(1).max(200)).default(50)
})
export type ListSessions = z.infer<typeof ListSessions>

export const WhenBusy = z.enum(['reject', 'queue', 'steer', 'interrupt'])
export type WhenBusy = z.infer<typeof WhenBusy>

/** A tool that this client fulfils itself: the call stays open until a client that declares it answers (api.md). */
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
/** The same as a session stores it. `declaredBy`: the IDs of everybody who declared it, newest last. */
export type DeclaredTool = ClientTool & { declaredBy?: string[] }

export const SendMessage = InSession.extend({
  text: z.string().optional(),
  parts: z.array(UserPart).min(1).max(50).optional(),
  /** The IDs of files that were uploaded to this session: they go behind the text. */
  files: z.array(z.string().max(64)).max(50).optional(),
  key: Key.optional(),
  whenBusy: WhenBusy.default('reject'),
  clientTools: z.array(ClientTool).max(64).optional(),
  /** To an external agent only. */
  active: SentAlong.optional(),
  /** For how many rounds it stays in the prompt; for ever if nothing is said. One that no model is sent asks nothing. */
  duration: Duration.min(1).optional()
})
export type SendMessage = z.infer<typeof SendMessage>

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

export const AnswerCall = InCall.extend({ answer: Answer, clientTools: z.array(z.string()).optional() })
export type AnswerCall = z.infer<typeof AnswerCall>

/** `input`: the arguments as somebody has edited them. */
export const ReviewCall = InCall.extend({ input: z.record(z.string(), z.unknown()) })
export type ReviewCall = z.infer<typeof ReviewCall>

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

export const CancelTurn = InSession.extend({
  turnId: z.string().max(64).optional(),
  calls: z.boolean().default(false)
})
export type CancelTurn = z.infer<typeof CancelTurn>

export const RetryTurn = InSession.extend({ turnId: z.string().max(64).optional() })
export type RetryTurn = z.infer<typeof RetryTurn>

export const ListWaiting = z.object({
  mine: z.stringbool().optional(),
  cursor: z.string().max(400).optional()
})
export type ListWaiting = z.infer<typeof ListWaiting>

export const FollowEvents = InSession.extend({ after: decimal(z.int().min(0)).optional() })
export type FollowEvents = z.infer<typeof FollowEvents>

export const ListLog = InSession.extend({
  before: decimal(z.int().min(1)).optional(),
  limit: decimal(z.int().min(1).max(500)).default(200)
})
export type ListLog = z.infer<typeof ListLog>

/** An answer through a capability link (api.md "External tools"). */
export const AnswerExternal = z.object({ capability: z.string().max(2000), answer: Answer })
export type AnswerExternal = z.infer<typeof AnswerExternal>
