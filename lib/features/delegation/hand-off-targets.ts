import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { speakingAgent } from '#lib/engine/worker/running-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { HandOffTarget } from './hand-off.ts'

/**
 * Returns the agents to which a configuration permits handoffs, with their current names. A missing agent
 * appears under its ID, and a handoff to it fails. The agent that runs the session is left out.
 */
export async function handOffTargets(
  ctx: Ctx,
  sessionKey: number,
  { handoffs = [] }: Pick<ChatConfig, 'handoffs'>
): Promise<HandOffTarget[]> {
  if (handoffs.length === 0) return []
  const rows = await ctx.sql<HandOffTarget[]>`
    select id as agent_id, config ->> 'displayName' as display_name, config ->> 'description' as description,
      config ->> 'type' = 'external' as external
    from agents where workspace_id = ${ctx.workspaceId} and id in ${ctx.sql(handoffs)}`
  const [session] = await ctx.sql<{ speaker: string }[]>`
    select ${speakingAgent(ctx)} as speaker from sessions s where s.key = ${sessionKey}`
  return handoffs
    .filter(agentId => agentId !== session?.speaker)
    .map(
      agentId =>
        rows.find(row => row.agentId === agentId) ?? { agentId, displayName: agentId, external: false }
    )
}
