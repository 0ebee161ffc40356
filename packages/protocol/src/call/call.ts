import { Duration } from '@waystation/protocol/duration.ts'
import { ErrorBody } from '@waystation/protocol/error-body.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { AccountOf, Answerers } from './answer-policy.ts'

/**
 * The action that a call needs.
 * - `approval`: a person approves or denies it
 * - `question`: a person answers it
 * - `connection`: a person connects an account
 * - `client`: a client runs its own tool
 * - `external`: an external service answers it
 * - `agent`: a sub-agent answers it
 * - `server`: our own code runs it, so it never waits for anyone
 * - `limit`: the turn reached its step or cost limit, and a person decides whether it continues
 */
export const CallKind = z.enum([
  'approval',
  'question',
  'connection',
  'client',
  'external',
  'agent',
  'server',
  'limit'
])
export type CallKind = z.infer<typeof CallKind>

/**
 * Where a tool's calls are fulfilled: the same value in the catalog, on the wire and in widgets (002-6). `agent` means by
 * a sub-agent, in a session of its own.
 */
export const ToolWhere = z.enum(['server', 'browser', 'approver', 'external', 'agent'])
export type ToolWhere = z.infer<typeof ToolWhere>

/** Where a call is fulfilled. `asker` means that an external agent opened it without a tool, and receives the answer. */
export const CallWhere = z.enum([...ToolWhere.options, 'asker'])
export type CallWhere = z.infer<typeof CallWhere>

/** The state of a call. All states except `open` are final, but an `approved` call still has to run or be answered. */
export const CallState = z.enum([
  'open',
  'answered',
  'approved',
  'denied',
  'declined',
  'expired',
  'cancelled',
  'failed'
])
export type CallState = z.infer<typeof CallState>

/**
 * The outcome of a call that is not answered before its deadline (docs/concepts/engine.md#deadlines). There is always
 * one.
 */
export const OnDeadline = z.enum(['declined', 'not-connected', 'error'])
export type OnDeadline = z.infer<typeof OnDeadline>

/** Selects the widget for a call: by `kind`, then by the tool's name (002-4). Other fields belong to the widget. */
export const RenderHint = z.looseObject({ kind: z.string() })
export type RenderHint = z.infer<typeof RenderHint>

/**
 * How an answer arrived. `message`: a user message answered "continue?". `token`: an end user answered with a session
 * token.
 */
export const Via = z.enum([
  'page',
  'message',
  'api',
  'token',
  'link',
  'callback',
  'client',
  'deadline',
  'server',
  'cancel'
])
export type Via = z.infer<typeof Via>

/**
 * A tool call as every client sees it. Times are ISO 8601.
 * - `output`, `errorText` and `reason` are set when the call is settled. An `approved` call has an `output` only after
 *   our code ran (`ranAt`).
 * - `editedInput` has the arguments as the approver changed them. `input` stays what the model wrote.
 * - `claimedAt` is when our code started to run.
 * - `answerers` is set if a policy restricts who can answer.
 */
export const Call = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  kind: CallKind,
  where: CallWhere,
  title: z.string().optional(),
  input: z.unknown(),
  editedInput: z.unknown().optional(),
  render: RenderHint.optional(),
  messageId: z.string(),
  turnId: z.string(),
  /** How many later steps the result stays in the prompt (001-7). Absent: forever. */
  duration: Duration.optional(),
  since: Time,
  deadline: Time,
  onDeadline: OnDeadline,
  answerers: Answerers.optional(),
  accountOf: AccountOf.optional(),
  state: CallState,
  claimedAt: Time.optional(),
  settledAt: Time.optional(),
  ranAt: Time.optional(),
  answeredBy: z.string().optional(),
  via: Via.optional(),
  reason: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional()
})
export type Call = z.infer<typeof Call>

/**
 * `remember` skips approval for later calls of this tool in this session, or in the whole workspace (`always`, for
 * owners only). It covers calls with the same arguments, or with any (`anyArguments`). Only an approval can be
 * remembered.
 */
const Approval = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(4000).optional(),
  input: z.unknown().optional(),
  remember: z.enum(['session', 'always']).optional(),
  anyArguments: z.boolean().optional()
})
export type Approval = z.infer<typeof Approval>
/** The question that an answer is for, if a call can have several. `ElicitHint` has its ID. */
const question = z.string().max(100).optional()
const Declined = z.strictObject({
  declined: z.literal(true),
  reason: z.string().max(4000).optional(),
  question
})
const Failure = z.strictObject({ error: z.string().min(1).max(20_000) })
const Output = z.strictObject({ output: z.unknown(), question })

/** Settles a call. The call's kind decides which form is valid. */
export const Answer = z.union([Approval, Declined, Failure, Output])
export type Answer = z.infer<typeof Answer>

/**
 * Body of `POST …/calls/:toolCallId/answer`. A client that reports a failure of its own tool lists its tools in
 * `clientTools`.
 */
export const AnswerBody = z.union([
  Approval,
  Declined,
  Failure.extend({ clientTools: z.array(z.string()).optional() }),
  Output
])

/** The answer of an external service to a call. */
export const ExternalAnswer = z.union([Output, Failure])

/** `state` is the call's state after the answer. */
export const Answered = z.object({ toolCallId: z.string(), state: CallState })
export type Answered = z.infer<typeof Answered>

/** The outcome of each call of a request that answers several, in their order: its state, or an error. */
export const AnsweredCalls = z.object({
  results: z.array(
    z.object({
      sessionId: z.string(),
      toolCallId: z.string(),
      state: CallState.optional(),
      error: ErrorBody.optional()
    })
  )
})
export type AnsweredCalls = z.infer<typeof AnsweredCalls>

/** The result of a call as the model receives it. A call is settled for the model once it has one. */
export type CallResult =
  | { type: 'output'; value: unknown }
  | { type: 'error'; text: string }
  | { type: 'denied'; reason?: string }
