import type { AccountOf, Answerers, Identity } from '@waystation/protocol/call/answer-policy.ts'
import type {
  Call,
  CallKind,
  CallResult,
  CallState,
  CallWhere,
  OnDeadline,
  RenderHint,
  Via
} from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import type { CapQuestion } from '@waystation/protocol/call/spending.ts'
import type { Sql } from '#db/client.ts'
import type { CallTarget } from '#db/schema/calls.ts'
import { inSchemaOrder } from '#lib/kernel/in-schema-order.ts'

/** A call as it is stored. Times are ISO 8601 text. */
export type CallRow = {
  sessionKey: number
  toolCallId: string
  toolName: string
  kind: CallKind
  where: CallWhere
  title: string | null
  messageId: string
  turnId: string
  contextId: number | null
  input: unknown
  editedInput: unknown
  render: RenderHint | null
  target: CallTarget | null
  deadlineSeconds: number | null
  answerers: Answerers | null
  accountOf: (AccountOf & { asked?: true }) | null
  cap: CapQuestion | null
  outputSchema: Record<string, unknown> | null
  inputSchema: Record<string, unknown> | null
  toolDigest: string | null
  duration: number | null
  elicited: Elicited[] | null
  state: CallState
  result: CallResult | null
  since: string
  deadline: string
  onDeadline: OnDeadline
  warnedAt: string | null
  deferredAt: string | null
  claimedAt: string | null
  claimedEpoch: number | null
  settledAt: string | null
  ranAt: string | null
  answeredBy: string | null
  answerer: Identity | null
  saidBy: Identity[] | null
  via: Via | null
  reason: string | null
  answerDigest: string | null
}

/** Returns the columns of a `CallRow`, for a `select` or a `returning`. */
export const callColumns = (sql: Sql) => sql`
  session_key, tool_call_id, tool_name, kind, "where", title,
  message_id, turn_id, context_id, input, edited_input,
  render, target, deadline_seconds, answerers, account_of, cap, output_schema,
  input_schema, tool_digest, duration, elicited, state, result, since, deadline,
  on_deadline, warned_at, deferred_at, claimed_at,
  claimed_epoch, settled_at, ran_at, answered_by, answerer, said_by, via,
  reason, answer_digest`

/**
 * Converts a row to the call that clients receive. Omits internal fields, such as schemas, digests and the
 * epochs of claims.
 */
export function wireCall(row: CallRow): Call {
  return defined({
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    kind: row.kind,
    where: row.where,
    title: row.title,
    input: inSchemaOrder(row.input, row.inputSchema),
    editedInput: inSchemaOrder(row.editedInput, row.inputSchema),
    duration: row.duration,
    render: row.render,
    messageId: row.messageId,
    turnId: row.turnId,
    since: row.since,
    deadline: row.deadline,
    onDeadline: row.onDeadline,
    answerers: row.answerers,
    accountOf: shownAccount(row.accountOf),
    state: row.state,
    claimedAt: row.claimedAt,
    settledAt: row.settledAt,
    ranAt: row.ranAt,
    ...(row.state === 'open' ? {} : { answeredBy: row.answeredBy, via: row.via }),
    reason: row.reason,
    ...(row.result?.type === 'output' ? { output: row.result.value } : {}),
    ...(row.result?.type === 'error' ? { errorText: row.result.text } : {})
  })
}

/** Removes the internal flag `asked`. */
function shownAccount(account: CallRow['accountOf']): AccountOf | undefined {
  if (account === null) return undefined
  const { asked: _, ...shown } = account
  return shown
}

/** Removes fields that are null or undefined. `input` always stays, because null is a valid input. */
function defined(call: { [Key in keyof Call]: Call[Key] | null | undefined }): Call {
  return Object.fromEntries(
    Object.entries(call).filter(([key, value]) => key === 'input' || (value !== null && value !== undefined))
  ) as Call
}
