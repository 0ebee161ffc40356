import type { CallTarget } from '#db/schema/calls.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { JsonSchema } from '#lib/protocol/agent/agent.ts'
import { type AnswerPolicy, denialReason } from '#lib/protocol/call/answerers.ts'
import type { CallKind, CallResult, CallWhere, OnDeadline, RenderHint } from '#lib/protocol/call/call.ts'
import type { AskedCap } from '#lib/protocol/call/spending.ts'
import { accountOf } from './account-of-call.ts'
import { freezeAnswerers } from './answerers.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'
import { capSeconds, defaults, warnAt } from './defaults.ts'
import { notifyParent } from './notify-parent.ts'

/** A call about to be opened, with everything it freezes. `failed`: it never could be (unknown tool, bad arguments). `denied`: a
 * rule of the workspace forbids it, in these words. */
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
  cap?: AskedCap
  /** The current tool definition. A remembered approval applies to this digest only. */
  toolDigest?: string
  /** For how many rounds its result stays in the prompt. */
  duration?: number
  failed?: string
  denied?: string
  /** A remembered approval allows the call: the approver, as text. */
  granted?: string
  /** The call needs an approval even if a rule or a remembered approval allows it. */
  alwaysAsked?: true
}

/** Whether the agent does not wait for this sub-agent. Such a call is deferred when it opens (docs/concepts/engine.md#prompt). */
export const isBackground = ({ kind, input }: Pick<Opening, 'kind' | 'input'>): boolean =>
  kind === 'agent' && (input as { background?: unknown } | null)?.background === true

/**
 * Opens the calls of a step, in the transaction that commits it (docs/concepts/engine.md#commit): rows with frozen schemas, render hints,
 * deadlines and outcomes, their events, and the jobs that watch the deadlines of those that wait for somebody.
 */
export async function openCalls(
  ctx: Ctx,
  head: LockedSession,
  at: { messageId: string; turnId: string; contextId: number | null },
  openings: readonly Opening[]
): Promise<CallRow[]> {
  const rows: CallRow[] = []
  const account = openings.some(usesAccounts) ? await accountOf(ctx, head) : undefined
  for (const opening of openings) {
    const { seconds, onDeadline } = defaults[opening.kind]
    const wait = Math.min(opening.deadlineSeconds ?? seconds, capSeconds)
    const over = overAtOnce(opening)
    const answerers = opening.answer && (await freezeAnswerers(ctx, head, opening.answer, opening.kind))
    const [row] = await ctx.sql<CallRow[]>`
      insert into calls (session_key, tool_call_id, workspace_id, generation, tool_name, kind, "where", title,
        message_id, turn_id, context_id, input, render, target, deadline_seconds, answerers, account_of, cap, output_schema, input_schema, tool_digest, duration, since, deadline, on_deadline,
        state, result, settled_at, answered_by, via, reason, deferred_at)
      select ${head.sessionKey}, ${opening.toolCallId}, ${head.workspaceId}, ${head.generation}, ${opening.toolName},
        ${opening.kind}, ${opening.where}, ${opening.title ?? null}, ${at.messageId}, ${at.turnId}, ${at.contextId},
        coalesce(${(opening.input ?? null) as object | null}::jsonb, 'null'), ${opening.render ?? null}::jsonb, ${opening.target ?? null}::jsonb, ${opening.deadlineSeconds ?? null}, ${answerers ?? null}::jsonb, ${(usesAccounts(opening) ? account : null) ?? null}::jsonb, ${opening.cap ?? null}::jsonb,
        ${opening.outputSchema ?? null}::jsonb, ${opening.inputSchema ?? null}::jsonb, ${opening.toolDigest ?? null}, ${opening.duration ?? null},
        n.at, n.at + make_interval(secs => ${wait}), ${opening.onDeadline ?? onDeadline},
        ${over?.state ?? 'open'}, ${over?.result ?? null}::jsonb,
        case when ${over !== undefined} then n.at end, ${over?.by ?? null}, ${over === undefined ? null : 'server'},
        ${opening.denied ?? opening.granted ?? null},
        case when ${over === undefined && isBackground(opening)} then n.at end
      from (select clock_timestamp() as at) n
      returning ${callColumns(ctx.sql)}`
    if (row === undefined) throw new Error('The call was not stored.')
    rows.push(row)
    if (row.state === 'open' && row.kind !== 'server') await watchDeadline(ctx, head, row)
    if (row.state === 'open') await dispatchCall(ctx, head, row)
  }
  await append(
    ctx,
    head,
    rows.map(row => ({ type: 'call', call: wireCall(row) }))
  )
  const waiting = rows.filter(row => row.state === 'open' && row.kind !== 'server')
  for (const row of waiting) await notifyCall(ctx, head, 'call.opened', row)
  if (waiting.length > 0) await notifyParent(ctx, head)
  return rows
}

/** Whether a call can use a person's own account: it runs here, asks for an account, or starts a sub-agent. */
const usesAccounts = ({ where, render, failed, denied }: Opening): boolean =>
  failed === undefined &&
  denied === undefined &&
  (where === 'server' || where === 'agent' || render?.kind === 'connect')

/** A call that nobody is asked about: how it ended when it was opened, and by whom. */
function overAtOnce({
  failed,
  denied
}: Opening): { state: 'failed' | 'denied'; result: CallResult; by: string } | undefined {
  if (failed !== undefined) return { state: 'failed', result: { type: 'error', text: failed }, by: 'server' }
  if (denied !== undefined)
    return { state: 'denied', result: { type: 'denied', reason: denied }, by: 'approval policy' }
  return undefined
}

/**
 * Tells the workspace's webhooks of a call, as it now is. Each change of it is told once: an approved call that is passed on
 * opens a second time, for somebody else. One that a person can answer on a plain page comes with the link to it, unless its
 * policy says that links do not answer.
 */
export const notifyCall = (
  ctx: Ctx,
  head: LockedSession,
  type: 'call.opened' | 'call.expiring' | 'call.settled',
  row: CallRow
): Promise<void> =>
  ctx.ports.notifyWebhooks(ctx, head, {
    type,
    about:
      type === 'call.settled' ? row.toolCallId : `${row.toolCallId}_${row.kind}_${Date.parse(row.deadline)}`,
    data: { call: wireCall(row) },
    ...(type !== 'call.settled' && isForPages(row)
      ? { asks: { generation: head.generation, toolCallId: row.toolCallId, kind: row.kind } }
      : {})
  })

/** Approvals, questions and "continue?": a connection needs who it is for, a server's own form more than a
 * page without scripts, the rest is no person's. */
const isForPages = ({ kind, answerers, render }: CallRow): boolean =>
  render?.kind !== 'elicit' &&
  (kind === 'approval' || kind === 'question' || kind === 'limit') &&
  denialReason({ kind, answerers: answerers ?? undefined }, { unknown: true }) === undefined

/** Jobs that ring at 80 % of the wait and at its end; moved when the call is extended. They only look. */
export async function watchDeadline(ctx: Ctx, head: LockedSession, call: CallRow): Promise<void> {
  const since = Date.parse(call.since)
  const deadline = Date.parse(call.deadline)
  const warn = new Date(since + (deadline - since) * warnAt)
  const payload = { sessionKey: head.sessionKey, toolCallId: call.toolCallId }
  const id = `${head.sessionKey}:${call.toolCallId}`
  await enqueue(ctx, 'deadline', payload, { key: `deadline:${id}`, runAt: new Date(deadline).toISOString() })
  await enqueue(ctx, 'warn', payload, { key: `warn:${id}`, runAt: warn.toISOString() })
}

/** Sets another system (`features/webhooks/announce.ts`) or a sub-agent (`features/delegation/reconcile-sub-agent.ts`) to work, by a job of the same
 * transaction; nobody else needs to be called. */
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
