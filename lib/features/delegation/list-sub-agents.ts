import type { SubAgents } from '@waystation/protocol/agent/listed-sub-agent.ts'
import type { SubAgentNews } from '@waystation/protocol/agent/sub-agent.ts'
import type { SessionStatus } from '@waystation/protocol/session/event.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The maximum number of sub-agents listed for a session, newest first. */
const maxListed = 100

/**
 * Returns a recursive query for all sessions below one that may have open calls. Sessions whose work is done
 * are skipped.
 */
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

/**
 * Returns the sub-agents of a session, newest first, and every open call below it that waits for a person. At
 * most 500 calls.
 */
export async function listSubAgents(ctx: Ctx, { sessionId }: InSession): Promise<SubAgents> {
  const key = await sessionKeyOf(ctx, sessionId)
  const [rows, waiting] = await Promise.all([
    ctx.sql<Row[]>`
      select s.key, s.id as session_id, s.agent_id, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name,
        s.title, s.status, s.parent_call_id as tool_call_id, s.reports as at_work, s.created_at as started_at
      from sessions s left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
      where s.parent_key = ${key} and s.deleted_at is null order by s.key desc limit ${maxListed}`,
    ctx.sql<(CallRow & { id: string; agentId: string })[]>`
      ${below(ctx, key)}
      select c.*, s.id, s.agent_id from (
        select ${callColumns(ctx.sql)} from calls
        where session_key in (select key from below) and result is null and state = 'open' and kind not in ('server', 'agent', 'external')
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

/** Returns the number of a session's sub-agents, how many are working, and how many calls below wait for a person. */
export async function subAgentSummary(ctx: Ctx, sessionKey: number): Promise<SubAgentNews> {
  const [summary] = await ctx.sql<SubAgentNews[]>`
    ${below(ctx, sessionKey)}
    select (select count(*)::int from sessions where parent_key = ${sessionKey} and deleted_at is null) as all,
      (select count(*)::int from sessions where parent_key = ${sessionKey} and reports) as at_work,
      (select count(*)::int from calls where session_key in (select key from below) and result is null and state = 'open'
        and kind not in ('server', 'agent', 'external')) as waiting`
  return summary ?? { all: 0, atWork: 0, waiting: 0 }
}

/** Returns the sub-agents part of a session's snapshot. It is empty if there are none. */
export async function subAgentsInSnapshot(
  tx: Ctx,
  sessionKey: number
): Promise<{ subAgents?: SubAgentNews }> {
  const subAgents = await subAgentSummary(tx, sessionKey)
  return subAgents.all > 0 ? { subAgents } : {}
}

/**
 * Returns the number of working sub-agents and waiting calls below each of these root sessions. Sessions with
 * neither are not in the map.
 */
export async function subAgentsBelow(
  ctx: Ctx,
  keys: readonly number[]
): Promise<Map<number, { subAgents: { atWork: number; waiting: number } }>> {
  const rows = await ctx.sql<{ key: number; atWork: number; waiting: number }[]>`
    select s.root_key as key, count(*) filter (where s.reports)::int as at_work, coalesce(sum(c.waiting), 0)::int as waiting
    from sessions s left join lateral (
      select count(*) as waiting from calls
      where session_key = s.key and result is null and state = 'open' and kind not in ('server', 'agent', 'external')
    ) c on true
    where s.root_key = any(${keys as number[]}) and s.deleted_at is null and (s.reports or s.status in ('running', 'parked'))
    group by s.root_key`
  return new Map(
    rows.flatMap(({ key, ...row }) =>
      row.atWork + row.waiting > 0 ? [[key, { subAgents: row }] as const] : []
    )
  )
}
