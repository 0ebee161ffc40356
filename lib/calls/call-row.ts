import { iso, type Sql } from '#db/client.ts'
import type { CallTarget } from '#db/schema/calls.ts'
import type { AccountOf, Answerers, Identity } from '#lib/protocol/answerers.ts'
import type {
  Call,
  CallKind,
  CallResult,
  CallState,
  CallWhere,
  OnDeadline,
  RenderHint,
  Via
} from '#lib/protocol/call.ts'
import type { Elicited } from '#lib/protocol/elicitation.ts'
import type { AskedCap } from '#lib/protocol/spending.ts'

/** A call as it is stored; times are text as the driver gives them. */
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
  cap: AskedCap | null
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

/** The columns of a CallRow, for a `select` or a `returning`. */
export const callColumns = (sql: Sql) => sql`
  session_key as "sessionKey", tool_call_id as "toolCallId", tool_name as "toolName", kind, "where", title,
  message_id as "messageId", turn_id as "turnId", context_id as "contextId", input, edited_input as "editedInput",
  render, target, deadline_seconds as "deadlineSeconds", answerers, account_of as "accountOf", cap, output_schema as "outputSchema",
  input_schema as "inputSchema", tool_digest as "toolDigest", duration, elicited, state, result, since, deadline,
  on_deadline as "onDeadline", warned_at as "warnedAt", deferred_at as "deferredAt", claimed_at as "claimedAt",
  claimed_epoch as "claimedEpoch", settled_at as "settledAt", ran_at as "ranAt", answered_by as "answeredBy", answerer, said_by as "saidBy", via,
  reason, answer_digest as "answerDigest"`

/** A call as every client sees it: the row without what is ours alone (schemas, digests, claims' epochs). */
export function wireCall(row: CallRow): Call {
  return defined({
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    kind: row.kind,
    where: row.where,
    title: row.title,
    input: row.input,
    editedInput: row.editedInput,
    duration: row.duration,
    render: row.render,
    messageId: row.messageId,
    turnId: row.turnId,
    since: iso(row.since),
    deadline: iso(row.deadline),
    onDeadline: row.onDeadline,
    answerers: row.answerers,
    accountOf: shownAccount(row.accountOf),
    state: row.state,
    claimedAt: iso(row.claimedAt),
    settledAt: iso(row.settledAt),
    ranAt: iso(row.ranAt),
    answeredBy: row.state === 'open' ? undefined : row.answeredBy,
    via: row.state === 'open' ? undefined : row.via,
    reason: row.reason,
    ...(row.result?.type === 'output' ? { output: row.result.value } : {}),
    ...(row.result?.type === 'error' ? { errorText: row.result.text } : {})
  })
}

function shownAccount(account: CallRow['accountOf']): AccountOf | undefined {
  if (account === null) return undefined
  const { asked: _, ...shown } = account
  return shown
}

function defined(call: { [Key in keyof Call]: Call[Key] | null | undefined }): Call {
  return Object.fromEntries(
    Object.entries(call).filter(([key, value]) => key === 'input' || (value !== null && value !== undefined))
  ) as Call
}
