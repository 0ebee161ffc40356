import { notFound } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { runningConfig, withAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type InSession = { sessionKey: number; agentId: string }

/**
 * Returns the configuration of the agent that speaks in a session: its own agent, or the chat or external agent that
 * took it over (003-11). Throws `NOT_FOUND` if that agent was deleted.
 */
export async function agentOfSession(ctx: Ctx, session: InSession): Promise<AgentConfig> {
  const { config, agentId } = await speakerOfSession(ctx, session)
  if (config === null) throw notFound('agent', agentId)
  return config
}

/** Like `agentOfSession`, but returns the ID of the agent too, and null if the agent was deleted. */
export async function speakerOfSession(
  ctx: Ctx,
  { sessionKey, agentId }: InSession
): Promise<{ config: AgentConfig | null; agentId: string }> {
  const [row] = await ctx.sql<{ config: AgentConfig | null; agentId: string }[]>`
    select case when s.external and s.handed_to is not null
        then (select config from agents where workspace_id = s.workspace_id and id = s.handed_to)
        else ${runningConfig(ctx)} end as config,
      coalesce(s.handed_to, s.agent_id) as agent_id
    from sessions s ${withAgent(ctx)} where s.key = ${sessionKey}`
  return row ?? { config: null, agentId }
}
