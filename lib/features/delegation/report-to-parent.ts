import { inTransaction } from '#db/transaction.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { lockCall, type Settlement, settle } from '#lib/engine/calls/settle.ts'
import { copyAuthors } from '#lib/engine/context/authors.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Spawned } from '#lib/protocol/agent/sub-agent.ts'
import type { SessionStatus, TurnError, TurnOutcome } from '#lib/protocol/session/event.ts'
import { type Message, textOf } from '#lib/protocol/session/message.ts'
import { subAgentNews } from './list-sub-agents.ts'

/** The most of a result that the agent above is told, in characters; all of it stands in the session. */
const longest = 32_000

type Child = {
  sessionId: string
  agentId: string
  agentName: string
  parentKey: number
  generation: number
  callId: string
  isAtRest: boolean
  status: SessionStatus
  error: TurnError | null
  outcome: TurnOutcome | null
  last: Message | null
}

/**
 * Looks at a sub-agent's session (001-16): if it rests and still owes its result, that settles the call above it, once; and
 * whoever follows the session above hears what is different below it.
 */
export async function reportToParent(ctx: Ctx, { sessionKey }: { sessionKey: number }): Promise<void> {
  const [child] = await ctx.sql<Child[]>`
    select s.id as session_id, s.agent_id, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name,
      s.parent_key, s.parent_generation as generation, s.parent_call_id as call_id, s.status, s.error,
      s.reports and s.deleted_at is null and h.turn_id is null and s.status in ('idle', 'failed')
        and t.outcome is not null as is_at_rest,
      t.outcome, (
        select m.message from messages m where m.session_key = s.key and m.role = 'assistant' order by m.pos desc limit 1
      ) as last
    from sessions s join heads h on h.session_key = s.key
      left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
      left join lateral (select outcome from turns where session_key = s.key order by started_at desc limit 1) t on true
    where s.key = ${sessionKey} and s.parent_key is not null`
  if (child === undefined) return
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, child.parentKey)
    if (head === undefined || head.generation !== child.generation) return
    if (child.isAtRest) await settleBy(tx, head, child, sessionKey)
    await append(tx, head, [
      { type: 'session', title: head.title, subAgents: await subAgentNews(tx, child.parentKey) }
    ])
    await notifyParent(tx, head)
  })
}

async function settleBy(tx: Ctx, head: LockedSession, child: Child, sessionKey: number): Promise<void> {
  const [owed] = await tx.sql`
    update sessions set reports = false where key = ${sessionKey} and reports returning key`
  const call = await lockCall(tx, head, child.callId)
  if (owed === undefined || call === undefined || call.state !== 'open') return
  await chargeTurn(tx, head, sessionKey)
  // Whoever wrote to it, or answered it, has a word in what it says.
  await copyAuthors(tx, { from: sessionKey, to: head.sessionKey })
  await settle(tx, head, call, { ...settlementBy(child), answeredBy: child.agentName, via: 'server' })
}

function settlementBy({
  sessionId,
  agentId,
  status,
  error,
  outcome,
  last
}: Child): Pick<Settlement, 'state' | 'result' | 'reason'> {
  const said = last === null ? '' : textOf(last).trim()
  if (status === 'idle' && outcome === 'done') {
    const value: Spawned = {
      sessionId,
      agentId,
      result: cut(said === '' ? '(The sub-agent ended without a message.)' : said)
    }
    return { state: 'answered', result: { type: 'output', value } }
  }
  const why =
    status === 'failed'
      ? `The sub-agent failed: ${error?.message ?? 'the reason is unknown.'}`
      : outcome === 'parked'
        ? 'The sub-agent stopped before it was done, because a request of it was declined or canceled.'
        : 'The sub-agent was stopped before it was done.'
  const text = said === '' ? why : `${why} Its last message: ${cut(said)}`
  return { state: 'failed', result: { type: 'error', text }, reason: why }
}

const cut = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest).toWellFormed()}\n[Truncated to ${longest} of ${text.length} characters.]`

/** What it and those below it cost counts in the budget of the turn that had it done. */
const chargeTurn = (tx: Ctx, head: LockedSession, sessionKey: number) => tx.sql`
  with recursive below as (
    select ${sessionKey}::bigint as key
    union all select s.key from sessions s join below b on s.parent_key = b.key
  )
  update turns set budget_usd = budget_usd + (
    select coalesce(sum(t.usd), 0) from turns t join below b on b.key = t.session_key)
  where id = (select id from turns where session_key = ${head.sessionKey} order by started_at desc limit 1)`
