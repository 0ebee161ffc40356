import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import { denialReason } from '@waystation/protocol/call/answerers.ts'
import type {
  CallKind,
  CallResult,
  CallWhere,
  OnDeadline,
  RenderHint
} from '@waystation/protocol/call/call.ts'
import type { CapQuestion } from '@waystation/protocol/call/spending.ts'
import type { CallTarget } from '#db/schema/calls.ts'
import { pipelined } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { freezeAnswerers } from './answerers.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'
import { defaults, maxOpenSeconds, warnFraction } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'

/**
 * A call to be opened, with all values that it freezes. `failed` is the error of an invalid call (unknown
 * tool, bad arguments). `denied` is the reason if a workspace rule forbids the call.
 */
export type Opening = {
  toolCallId: string
  toolName: string
  kind: CallKind
  where: CallWhere
  title?: string
  input: unknown
  inputSchema?: JsonSchema
  outputSchema?: JsonSchema
  render?: RenderHint
  target?: CallTarget
  deadlineSeconds?: number
  onDeadline?: OnDeadline
  answer?: AnswerPolicy
  cap?: CapQuestion
  /** The current tool definition. A remembered approval applies to this digest only. */
  toolDigest?: string
  /** Number of steps for which the result stays in the prompt. */
  duration?: number
  failed?: string
  denied?: string
  /** A remembered approval allows the call: the approver, as text. */
  rememberedApproval?: string
  /** The call needs an approval even if a rule or a remembered approval allows it. */
  alwaysAsked?: true
}

/**
 * Tells whether the agent continues without waiting for this sub-agent. Such a call is deferred when it opens
 * (docs/concepts/engine.md#prompt).
 */
export const isBackground = ({ kind, input }: Pick<Opening, 'kind' | 'input'>): boolean =>
  kind === 'agent' && (input as { background?: unknown } | null)?.background === true

/**
 * Opens the calls of a step, in the transaction that commits the step (docs/concepts/engine.md#commit).
 * Stores their rows and events, and schedules the deadline jobs of calls that wait for an answer. Requires
 * the session's lock.
 */
export async function openCalls(
  ctx: Ctx,
  session: LockedSession,
  at: { messageId: string; turnId: string; contextId: number | null },
  openings: readonly Opening[]
): Promise<CallRow[]> {
  const rows: CallRow[] = []
  const account = openings.some(usesAccounts) ? await ctx.ports.calls.accountOwner(ctx, session) : undefined
  for (const opening of openings) {
    const { seconds, onDeadline } = defaults[opening.kind]
    const wait = Math.min(opening.deadlineSeconds ?? seconds, maxOpenSeconds)
    const outcome = immediateOutcome(opening)
    const answerers = opening.answer && (await freezeAnswerers(ctx, session, opening.answer, opening.kind))
    const [row] = await ctx.sql<CallRow[]>`
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", title,
        message_id, turn_id, context_id, input, render, target, deadline_seconds, answerers, account_of, cap, output_schema, input_schema, tool_digest, duration, since, deadline, on_deadline,
        state, result, settled_at, answered_by, via, reason, deferred_at)
      select ${session.sessionKey}, ${opening.toolCallId}, ${session.workspaceId}, ${session.generation}, ${opening.toolName},
        ${opening.kind}, ${opening.where}, ${opening.title ?? null}, ${at.messageId}, ${at.turnId}, ${at.contextId},
        coalesce(${(opening.input ?? null) as object | null}::jsonb, 'null'), ${opening.render ?? null}::jsonb, ${opening.target ?? null}::jsonb, ${opening.deadlineSeconds ?? null}, ${answerers ?? null}::jsonb, ${(usesAccounts(opening) ? account : null) ?? null}::jsonb, ${opening.cap ?? null}::jsonb,
        ${opening.outputSchema ?? null}::jsonb, ${opening.inputSchema ?? null}::jsonb, ${opening.toolDigest ?? null}, ${opening.duration ?? null},
        n.at, n.at + make_interval(secs => ${wait}), ${opening.onDeadline ?? onDeadline},
        ${outcome?.state ?? 'open'}, ${outcome?.result ?? null}::jsonb,
        case when ${outcome !== undefined} then n.at end, ${outcome?.by ?? null}, ${outcome === undefined ? null : 'server'},
        ${opening.denied ?? opening.rememberedApproval ?? null},
        case when ${outcome === undefined && isBackground(opening)} then n.at end
      from (select clock_timestamp() as at) n
      returning ${callColumns(ctx.sql)}`
    if (row === undefined) throw new Error('The call was not stored.')
    rows.push(row)
    if (isWaiting(row)) ctx.beforeCommit(watchDeadline(ctx, session, row))
    if (row.state === 'open') ctx.beforeCommit(dispatchCall(ctx, session, row))
  }
  append(
    ctx,
    session,
    rows.map(row => ({ type: 'call', call: wireCall(row) }))
  )
  const waiting = rows.filter(isWaiting)
  for (const row of waiting) await notifyCall(ctx, session, 'call.opened', row)
  if (waiting.length > 0) await notifyParent(ctx, session)
  return rows
}

/** Tells whether an opened call waits for an answer. */
export const isWaiting = ({ state, kind }: CallRow): boolean => state === 'open' && kind !== 'server'

/**
 * Tells whether a call can use a person's own account: it runs on the server, asks for an account, or starts
 * a sub-agent.
 */
const usesAccounts = ({ where, render, failed, denied }: Opening): boolean =>
  failed === undefined &&
  denied === undefined &&
  (where === 'server' || where === 'agent' || render?.kind === 'connect')

/** Returns the outcome of a call that fails or is denied as soon as it opens; undefined if it stays open. */
function immediateOutcome({
  failed,
  denied
}: Opening): { state: 'failed' | 'denied'; result: CallResult; by: string } | undefined {
  if (failed !== undefined) return { state: 'failed', result: { type: 'error', text: failed }, by: 'server' }
  if (denied !== undefined)
    return { state: 'denied', result: { type: 'denied', reason: denied }, by: 'approval policy' }
  return undefined
}

/**
 * Notifies the workspace's webhooks of a call's current state. Each change is announced once; a call that is
 * reopened for fulfillment is a second `call.opened`. If a person can answer the call on a plain page and its
 * policy permits links, the event includes an answer link.
 */
export const notifyCall = (
  ctx: Ctx,
  session: LockedSession,
  type: 'call.opened' | 'call.expiring' | 'call.settled',
  row: CallRow
): Promise<void> =>
  ctx.ports.notifyWebhooks(ctx, session, {
    type,
    about:
      type === 'call.settled' ? row.toolCallId : `${row.toolCallId}_${row.kind}_${Date.parse(row.deadline)}`,
    data: { call: wireCall(row) },
    ...(type !== 'call.settled' && isForPages(row)
      ? { asks: { generation: session.generation, toolCallId: row.toolCallId, kind: row.kind } }
      : {})
  })

/**
 * Tells whether a plain page can answer the call: approvals, questions and "continue?". A connection must
 * know the user, and a form of an MCP server needs scripts.
 */
const isForPages = ({ kind, answerers, render }: CallRow): boolean =>
  render?.kind !== 'elicit' &&
  (kind === 'approval' || kind === 'question' || kind === 'limit') &&
  denialReason({ kind, answerers: answerers ?? undefined }, { unknown: true }) === undefined

/**
 * Schedules the jobs that run at 80 % of the wait and at the deadline. An extension moves them. The jobs
 * check the stored call and do nothing if it has changed.
 */
export async function watchDeadline(ctx: Ctx, session: LockedSession, call: CallRow): Promise<void> {
  const since = Date.parse(call.since)
  const deadline = Date.parse(call.deadline)
  const warn = new Date(since + (deadline - since) * warnFraction)
  const payload = { sessionKey: session.sessionKey, toolCallId: call.toolCallId }
  const id = `${session.sessionKey}:${call.toolCallId}`
  await pipelined([
    enqueue(ctx, 'deadline', payload, { key: `deadline:${id}`, runAt: new Date(deadline).toISOString() }),
    enqueue(ctx, 'warn', payload, { key: `warn:${id}`, runAt: warn.toISOString() })
  ])
}

/**
 * Starts the external tool (`features/webhooks/announce.ts`) or the sub-agent
 * (`features/delegation/reconcile-sub-agent.ts`) that fulfills a call, with a job in the same transaction.
 * Calls of other kinds need no job.
 */
export async function dispatchCall(
  ctx: Ctx,
  { sessionKey }: Pick<LockedSession, 'sessionKey'>,
  { kind, toolCallId }: Pick<CallRow, 'kind' | 'toolCallId'>
): Promise<void> {
  const job = kind === 'external' ? 'announce' : kind === 'agent' ? 'spawn' : undefined
  if (job === undefined) return
  const key = `${job}:${sessionKey}:${toolCallId}`
  await enqueue(ctx, job, { sessionKey, toolCallId }, { key })
}
