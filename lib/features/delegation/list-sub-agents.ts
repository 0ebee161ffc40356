import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { SubAgents } from '#lib/protocol/agent/listed-sub-agent.ts'
import type { SubAgentNews } from '#lib/protocol/agent/sub-agent.ts'
import type { SessionStatus } from '#lib/protocol/session/event.ts'
import type { InSession } from '#lib/protocol/session/session.ts'

/** As many as are told of one session, those that began last first. */
const most = 100

/** Every session below one, however deep, in which something may wait: not those of years of work that is done. */
const below = ({ sql }: Ctx, sessionKey: number) => sql`
  with recursive below as (
    select key from sessions
    where parent_key = ${sessionKey} and deleted_at is null and (reports or status in ('running', 'parked'))
    union all
    select s.key from sessions s join below b on s.parent_key = b.key
    where s.deleted_at is null and (s.reports or s.status in ('running', 'parked'))
  )`

type Row = {
  key: number
  sessionId: string
  agentId: string
  agentName: string
  title: string
  status: SessionStatus
  toolCallId: string
  atWork: boolean
  startedAt: string
}

/** The sub-agents of a session, the newest first, and every open call below it that waits for a person. */
export async function listSubAgents(ctx: Ctx, { sessionId }: InSession): Promise<SubAgents> {
  const key = await sessionKeyOf(ctx, sessionId)
  const [rows, waiting] = await Promise.all([
    ctx.sql<Row[]>`
      select s.key, s.id as session_id, s.agent_id, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name,
        s.title, s.status, s.parent_call_id as tool_call_id, s.reports as at_work, s.created_at as started_at
      from sessions s left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
      where s.parent_key = ${key} and s.deleted_at is null order by s.key desc limit ${most}`,
    ctx.sql<(CallRow & { id: string; agentId: string })[]>`
      ${below(ctx, key)}
      select c.*, s.id, s.agent_id from (
        select ${callColumns(ctx.sql)} from calls
        where session_key in (select key from below) and state = 'open' and kind not in ('server', 'agent', 'external')
      ) c join sessions s on s.key = c.session_key order by c.deadline, c.session_key, c.tool_call_id limit 500`
  ])
  return {
    subAgents: rows.map(({ key: _, ...row }) => row),
    waiting: waiting.map(({ id, agentId, ...call }) => ({
      sessionId: id,
      agentId,
      call: wireCall(call as CallRow)
    }))
  }
}

/** How many of them are at work, and how many calls below wait for somebody. */
export async function subAgentNews(ctx: Ctx, sessionKey: number): Promise<SubAgentNews> {
  const [news] = await ctx.sql<SubAgentNews[]>`
    ${below(ctx, sessionKey)}
    select (select count(*)::int from sessions where parent_key = ${sessionKey} and deleted_at is null) as all,
      (select count(*)::int from sessions where parent_key = ${sessionKey} and reports) as at_work,
      (select count(*)::int from calls where session_key in (select key from below) and state = 'open'
        and kind not in ('server', 'agent', 'external')) as waiting`
  return news ?? { all: 0, atWork: 0, waiting: 0 }
}

/** The sub-agents in a session's snapshot. */
export async function subAgentsInSnapshot(
  tx: Ctx,
  sessionKey: number
): Promise<{ subAgents?: SubAgentNews }> {
  const subAgents = await subAgentNews(tx, sessionKey)
  return subAgents.all > 0 ? { subAgents } : {}
}

/** Of sessions at the top that have sub-agents at work, or something that waits below them: how much of each. */
export async function subAgentsBelow(
  ctx: Ctx,
  keys: readonly number[]
): Promise<Map<number, { subAgents: { atWork: number; waiting: number } }>> {
  const rows = await ctx.sql<{ key: number; atWork: number; waiting: number }[]>`
    select s.root_key as key, count(*) filter (where s.reports)::int as at_work, coalesce(sum(c.waiting), 0)::int as waiting
    from sessions s left join lateral (
      select count(*) as waiting from calls
      where session_key = s.key and state = 'open' and kind not in ('server', 'agent', 'external')
    ) c on true
    where s.root_key = any(${keys as number[]}) and s.deleted_at is null and (s.reports or s.status in ('running', 'parked'))
    group by s.root_key`
  return new Map(
    rows.flatMap(({ key, ...row }) =>
      row.atWork + row.waiting > 0 ? [[key, { subAgents: row }] as const] : []
    )
  )
}
