import { InputSchema, JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { CallState, OnDeadline, Via } from '@waystation/protocol/call/call.ts'
import { HttpRequest } from '@waystation/protocol/connection/http-request.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** The fields of every request of an external agent. `detail` is Markdown. `key` makes the request idempotent. */
const Asked = z.strictObject({
  title: z.string().trim().min(1).max(200),
  detail: z.string().max(8192).optional(),
  /** Seconds until the deadline: 1 minute to 30 days. Default: that of the same kind of call elsewhere. */
  deadlineSeconds: z.int().min(60).max(2_592_000).optional(),
  onDeadline: OnDeadline.optional(),
  answerPolicy: AnswerPolicy.optional(),
  key: Key.optional()
})

const AskApproval = Asked.extend({
  kind: z.literal('approval'),
  /** The arguments to approve. With `inputSchema`, people can edit them. */
  input: z.unknown().optional(),
  inputSchema: InputSchema.optional()
})

const AskQuestion = Asked.extend({
  kind: z.literal('question'),
  question: z.strictObject({
    question: z.string().min(1).max(4000),
    inputType: z.enum(['single-select', 'multi-select', 'text']).optional(),
    options: z
      .array(
        z.strictObject({
          label: z.string().min(1).max(200),
          description: z.string().max(1000).optional()
        })
      )
      .max(50)
      .optional(),
    allowFreeform: z.boolean().optional()
  })
})

const AskForm = Asked.extend({ kind: z.literal('form'), outputSchema: JsonSchema })

const AskConnection = Asked.extend({
  kind: z.literal('connection'),
  integration: z.string().min(1).max(100),
  slug: z.string().min(1).max(100).optional()
})

/**
 * A request of an external agent to the people of its session: an approval, a question, a form or a connection. It
 * becomes a call like those of chat agents.
 */
export const OpenExternalCall = z.discriminatedUnion('kind', [
  AskApproval,
  AskQuestion,
  AskForm,
  AskConnection
])
export type OpenExternalCall = z.infer<typeof OpenExternalCall>

export const ExternalCallKind = z.enum(['approval', 'question', 'form', 'connection'])
export type ExternalCallKind = z.infer<typeof ExternalCallKind>

/** The opened call. `callUrl` has its own token, and reads or cancels only this call. */
export const OpenedExternalCall = z.object({
  toolCallId: z.string(),
  state: CallState,
  deadline: Time,
  callUrl: z.url(),
  /** For a connection: sends requests with the account, once it is connected. */
  fetchUrl: z.url().optional()
})
export type OpenedExternalCall = z.infer<typeof OpenedExternalCall>

/** Reads a call. With `wait`, an open call is answered after at most that many seconds, or as soon as it is settled. */
export const ReadExternalCall = z.object({
  sessionId: z.string(),
  toolCallId: z.string().max(128),
  token: z.string().max(500).optional(),
  wait: z.coerce.number().int().min(0).max(50).default(0)
})
export type ReadExternalCall = z.infer<typeof ReadExternalCall>

/**
 * A call as its external agent sees it. `approved` and `input` are for approvals: `input` has the arguments that were
 * approved, with a person's changes. `output` is the answer to a question, a form or a request for a connection.
 */
export const ExternalCall = z.object({
  toolCallId: z.string(),
  kind: ExternalCallKind,
  state: CallState,
  deadline: Time,
  /** The key of the request that opened it, so that an agent recognizes its own request. */
  key: z.string().optional(),
  approved: z.boolean().optional(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  reason: z.string().optional(),
  answeredBy: z.string().optional(),
  via: Via.optional()
})
export type ExternalCall = z.infer<typeof ExternalCall>

/** Sends a request with the account of a settled call of the kind `connection`. */
export const FetchWithAccount = ReadExternalCall.omit({ wait: true }).extend({ request: HttpRequest })
export type FetchWithAccount = z.infer<typeof FetchWithAccount>

/** The response of a service, of any status. Its content is `text`, or `base64` if it is not text. */
export const ServiceResponse = z.object({
  status: z.int(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  text: z.string().optional(),
  base64: z.string().optional()
})
export type ServiceResponse = z.infer<typeof ServiceResponse>
