import { z } from 'zod'
import { Duration } from '#lib/protocol/duration.ts'
import { Time } from '#lib/protocol/time.ts'
import { AccountOf, Answerers } from './answerers.ts'

/**
 * Who must do what: `approval` (may this run?), `question`, `connection`, `client` (a browser's tool), `external`
 * (another system's tool), `agent` (a sub-agent), `server` (our own code: never waits for anybody), `limit`
 * (the turn reached its step or cost cap: go on?).
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

/** The one flag that says where a call is fulfilled, unchanged from catalogue to wire to widget (002-6); `agent`: by a
 * sub-agent, in a session of its own. */
export const CallWhere = z.enum(['server', 'browser', 'approver', 'external', 'agent'])
export type CallWhere = z.infer<typeof CallWhere>

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

/** What a call becomes when nobody answers it by its deadline (docs/concepts/engine.md#deadlines). Never "nothing". */
export const OnDeadline = z.enum(['declined', 'not-connected', 'error'])
export type OnDeadline = z.infer<typeof OnDeadline>

/** How a widget is chosen: first by `kind`, then by the tool's name (002-4). The rest is the widget's own. */
export const RenderHint = z.looseObject({ kind: z.string() })
export type RenderHint = z.infer<typeof RenderHint>

/**
 * Which door an answer came in by. `message`: the person's next message was the answer to "continue?"; `token`: an end
 * user's, by a session token.
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
 *
 * `output`, `errorText` and `reason` are there once it is settled; an `approved` call has its `output` only after
 * our code ran (`ranAt`). `editedInput` is what the approver changed the arguments to; `input` stays what the
 * model wrote. `claimedAt` says that our code began to run. `answerers`: who may answer it, when its agent or tool says
 * so; absent: whoever may answer at all.
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
  /** For how many rounds its result stays in the prompt (001-7); absent: for ever. */
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

/** True while somebody outside the server must act: what makes a session `parked`. */
export const isWaiting = (call: Call): boolean => call.state === 'open' && call.kind !== 'server'

/** True while the person at the page may be the one who answers (amber); false: another system does (blue). */
export const waitsForPerson = (call: Call): boolean =>
  isWaiting(call) && call.where !== 'external' && call.kind !== 'agent'

/** The open calls that wait for somebody, nearest deadline first, then oldest. */
export const waitingFor = (calls: Iterable<Call>): Call[] =>
  [...calls]
    .filter(isWaiting)
    .sort((a, b) => a.deadline.localeCompare(b.deadline) || a.since.localeCompare(b.since))

/**
 * `remember`: calls of this tool with these very arguments, or with `anyArguments` with any, are not asked about again in this
 * session, or in the whole workspace (`always`: for its owners to say). Only a yes is remembered.
 */
const Approval = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(4000).optional(),
  input: z.unknown().optional(),
  remember: z.enum(['session', 'always']).optional(),
  anyArguments: z.boolean().optional()
})
export type Approval = z.infer<typeof Approval>
/** Which of a call's questions is meant, where it can have several (`ElicitHint`): its output names it. */
const question = z.string().max(100).optional()
const Declined = z.strictObject({
  declined: z.literal(true),
  reason: z.string().max(4000).optional(),
  question
})
const Failure = z.strictObject({ error: z.string().min(1).max(20_000) })
const Output = z.strictObject({ output: z.unknown(), question })

/** What settles a call. Which form fits depends on the call's kind. */
export const Answer = z.union([Approval, Declined, Failure, Output])
export type Answer = z.infer<typeof Answer>

/** The body of `POST …/calls/:toolCallId/answer`: whoever says that a declared tool failed names it as its own. */
export const AnswerBody = z.union([
  Approval,
  Declined,
  Failure.extend({ clientTools: z.array(z.string()).optional() }),
  Output
])

/** What another system says to the call that it was told of. */
export const ExternalAnswer = z.union([Output, Failure])

/** What an answer came to. */
export const Answered = z.object({ toolCallId: z.string(), state: CallState })
export type Answered = z.infer<typeof Answered>

/** Input and output of `ask-question` (001-20). */
export const Question = z.object({
  question: z.string().min(1).max(4000),
  inputType: z.enum(['single-select', 'multi-select', 'text']).default('single-select'),
  options: z
    .array(z.object({ label: z.string().min(1).max(200), description: z.string().max(1000).optional() }))
    .max(50)
    .optional(),
  allowFreeform: z.boolean().default(true)
})
export type Question = z.infer<typeof Question>

/** What the model is told a call came to. Its presence is what "settled for the model" means. */
export type CallResult =
  | { type: 'output'; value: unknown }
  | { type: 'error'; text: string }
  | { type: 'denied'; reason?: string }
