import type { SpawnResult } from '@waystation/protocol/agent/spawn-result.ts'
import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import type { SessionStatus, TurnError, TurnOutcome } from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { Fragment } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { lockCall, type Settlement, settle } from '#lib/engine/calls/settle.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { copyAuthors } from '#lib/sessions/copy-authors.ts'
import { subAgentSummary } from './list-sub-agents.ts'

/**
 * The maximum length of a result that the parent agent receives, in characters. The session contains the full
 * text.
 */
const maxChars = 32_000

type Child = {
  sessionId: string
  agentId: string
  agentName: string
  parentKey: number
  generation: number
  callId: string
  isIdle: boolean
  status: SessionStatus
  error: TurnError | null
  outcome: TurnOutcome | null
  last: Message | null
  /** The output with which an external agent has finished. */
  finished: { output: unknown } | null
  /** The last attempt to deliver the task to an external agent, if it failed. */
  undelivered: DeliveryAttempt | null
}

/**
 * Reports a sub-agent's state to its parent session (001-16). If the sub-agent is at rest and its result is
 * still due, settles the parent's call, once. Clients of the parent session receive the new counts.
 */
export async function reportToParent(ctx: Ctx, { sessionKey }: { sessionKey: number }): Promise<void> {
  const [child] = await ctx.sql<Child[]>`
    select s.id as session_id, s.agent_id, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name,
      s.parent_key, s.parent_generation as generation, s.parent_call_id as call_id, s.status, s.error,
      s.reports and s.deleted_at is null and ${hasEnded(ctx)} as is_idle,
      t.outcome, (${finishedBy(ctx)}) as finished,
      case when s.external and (${taskDelivery(ctx, ctx.sql`state`)}) = 'failed'
        then (${taskDelivery(ctx, ctx.sql`attempts -> -1`)}) end as undelivered, (
        select m.message from messages m where m.session_key = s.key and m.role = 'assistant' order by m.pos desc limit 1
      ) as last
    from sessions s join heads h on h.session_key = s.key
      left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
      left join lateral (select outcome from turns where session_key = s.key order by started_at desc limit 1) t on true
    where s.key = ${sessionKey} and s.parent_key is not null`
  if (child === undefined) return
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, child.parentKey)
    if (session === undefined || session.generation !== child.generation) return
    if (child.isIdle) await settleBy(tx, session, child, sessionKey)
    append(tx, session, [
      { type: 'session', title: session.title, subAgents: await subAgentSummary(tx, child.parentKey) }
    ])
    await notifyParent(tx, session)
  })
}

/** Returns SQL for the output with which an external agent finished `sessions s` (`finish-task.ts`), as JSON. */
const finishedBy = ({ sql }: Ctx) => sql`
  select r.receipt from receipts r where r.session_key = s.key and r.verb = 'task'
    and r.generation = (select generation from heads where session_key = s.key)`

/** Returns SQL for a field of the delivery that sent the task of `sessions s` to an external agent. */
const taskDelivery = ({ sql }: Ctx, field: Fragment) => sql`
  select ${field} from deliveries where session_key = s.key and kind = 'message' and body ? 'task' order by created_at limit 1`

/**
 * Returns an SQL condition on `sessions s` and its `heads h`: the sub-agent has ended its task. Replies do not end the
 * task of an external agent. It finishes the task, or did not receive it.
 */
export const hasEnded = (ctx: Ctx) => ctx.sql`
  (case when s.external then exists (${finishedBy(ctx)}) or (${taskDelivery(ctx, ctx.sql`state`)}) = 'failed'
    else h.turn_id is null and s.status in ('idle', 'failed')
      and exists (select from turns where session_key = s.key and outcome is not null) end)`

async function settleBy(tx: Ctx, session: LockedSession, child: Child, sessionKey: number): Promise<void> {
  const [pending] = await tx.sql`
    update sessions set reports = false where key = ${sessionKey} and reports returning key`
  const call = await lockCall(tx, session, child.callId)
  if (pending === undefined || call === undefined || call.state !== 'open') return
  await chargeTurn(tx, session, sessionKey)
  // The result may contain text of all authors of the sub-agent's session.
  await copyAuthors(tx, { from: [sessionKey], to: session.sessionKey })
  await settle(tx, session, call, { ...settlementBy(child), answeredBy: child.agentName, via: 'server' })
}

function settlementBy({
  sessionId,
  agentId,
  status,
  error,
  outcome,
  last,
  finished,
  undelivered
}: Child): Pick<Settlement, 'state' | 'result' | 'reason'> {
  if (finished !== null) {
    const value: SpawnResult = { sessionId, agentId, result: cutOutput(finished.output) }
    return { state: 'answered', result: { type: 'output', value } }
  }
  if (undelivered !== null) {
    const cause =
      undelivered.status === undefined
        ? 'its endpoint did not respond'
        : `its endpoint responded with ${undelivered.status}`
    const reason = `The sub-agent did not receive the task: ${cause}.`
    return { state: 'failed', result: { type: 'error', text: reason }, reason }
  }
  const lastText = last === null ? '' : textOf(last).trim()
  if (status === 'idle' && outcome === 'done') {
    const value: SpawnResult = {
      sessionId,
      agentId,
      result: cut(lastText === '' ? '(The sub-agent ended without a message.)' : lastText)
    }
    return { state: 'answered', result: { type: 'output', value } }
  }
  const reason =
    status === 'failed'
      ? `The sub-agent failed: ${error?.message ?? 'the reason is unknown.'}`
      : outcome === 'parked'
        ? 'The sub-agent stopped before it was done, because a request of it was declined or canceled.'
        : 'The sub-agent was stopped before it was done.'
  const text = lastText === '' ? reason : `${reason} Its last message: ${cut(lastText)}`
  return { state: 'failed', result: { type: 'error', text }, reason }
}

const cut = (text: string): string =>
  text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars).toWellFormed()}\n[Truncated to ${maxChars} of ${text.length} characters.]`

/** Returns an output of an external agent. If it is too long, returns the start of its text or JSON. */
function cutOutput(output: unknown): unknown {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return text.length <= maxChars ? output : cut(text)
}

/** Adds the cost of the sub-agent and of all below it to the budget of the parent's latest turn. */
const chargeTurn = (tx: Ctx, session: LockedSession, sessionKey: number) => tx.sql`
  with recursive below as (
    select ${sessionKey}::bigint as key
    union all select s.key from sessions s join below b on s.parent_key = b.key
  )
  update turns set budget_usd = budget_usd + (
    select coalesce(sum(t.usd), 0) from turns t join below b on b.key = t.session_key)
  where id = (select id from turns where session_key = ${session.sessionKey} order by started_at desc limit 1)`
