import { notFound } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { runningConfig, withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the configuration of the agent that speaks in a session: its own agent, or the chat or external agent that
 * took it over (003-11). Throws `NOT_FOUND` if that agent was deleted.
 */
export async function agentOfSession(
  ctx: Ctx,
  { sessionKey, agentId }: { sessionKey: number; agentId: string }
): Promise<AgentConfig> {
  const [row] = await ctx.sql<{ config: AgentConfig | null; speaker: string }[]>`
    select case when s.external and s.handed_to is not null
        then (select config from agents where workspace_id = s.workspace_id and id = s.handed_to)
        else ${runningConfig(ctx)} end as config,
      coalesce(s.handed_to, s.agent_id) as speaker
    from sessions s ${withAgent(ctx)} where s.key = ${sessionKey}`
  if (row === undefined || row.config === null) throw notFound('agent', row?.speaker ?? agentId)
  return row.config
}
