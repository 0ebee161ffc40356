import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the agents to which a configuration permits handoffs, with their current names. A missing agent
 * appears under its ID, and a handoff to it fails.
 */
export async function handOffTargets(
  ctx: Ctx,
  { handoffs = [] }: Pick<ChatConfig, 'handoffs'>
): Promise<{ agentId: string; displayName: string; description?: string }[]> {
  if (handoffs.length === 0) return []
  const rows = await ctx.sql<{ agentId: string; displayName: string; description: string | null }[]>`
    select id as agent_id, config ->> 'displayName' as display_name, config ->> 'description' as description
    from agents where workspace_id = ${ctx.workspaceId} and id in ${ctx.sql(handoffs)}`
  return handoffs.map(agentId => {
    const { description, ...target } = rows.find(row => row.agentId === agentId) ?? {
      agentId,
      displayName: agentId,
      description: null
    }
    return description === null ? target : { ...target, description }
  })
}
