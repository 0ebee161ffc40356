import type { Agent } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { listAgents } from './list.ts'

type AgentUse = {
  hasDraft: boolean
  /** The number of its open requests to people. */
  requests: number
  /** The number of its failed sessions. */
  failed: number
  /** When one of its sessions was active last. */
  usedAt: string | null
}
type Row = AgentUse & { id: string }

/** Lists the workspace's agents by display name, with how they are used. Trials are not
 * counted. Requests of sub-agents are. */
export async function listAgentsWithUse(ctx: Ctx): Promise<(Agent & AgentUse)[]> {
  const [{ agents }, rows] = await Promise.all([
    listAgents(ctx, {}),
    ctx.sql<Row[]>`
      select a.id, a.draft is not null as has_draft, coalesce(r.requests, 0) as requests, coalesce(s.failed, 0) as failed,
        s.used_at
      from agents a left join (
        select agent_id, (count(*) filter (where status = 'failed'))::int as failed, max(active_at) as used_at
        from sessions where workspace_id = ${ctx.workspaceId} and deleted_at is null and parent_key is null and not trial
        group by agent_id
      ) s on s.agent_id = a.id left join (
        select agent_id, count(*)::int as requests from calls join sessions on sessions.key = calls.session_key
        where calls.workspace_id = ${ctx.workspaceId} and state = 'open' and kind not in ('server', 'external', 'agent')
          and deleted_at is null and not trial
        group by agent_id
      ) r on r.agent_id = a.id
      where a.workspace_id = ${ctx.workspaceId}`
  ])
  const uses = new Map(rows.map(({ id, ...use }) => [id, use]))
  return agents.map(agent => ({ ...agent, ...(uses.get(agent.agentId) ?? unused) }))
}

const unused: AgentUse = { hasDraft: false, requests: 0, failed: 0, usedAt: null }
