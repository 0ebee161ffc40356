import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ChatConfig } from '#lib/protocol/agent/agent.ts'

/** The agents that a configuration may hand to, as their workspace calls them now; one that is not there yet is called by its ID,
 * and is said not to be there when it is handed to. */
export async function handOffTargets(
  ctx: Ctx,
  { handoffs = [] }: Pick<ChatConfig, 'handoffs'>
): Promise<{ agentId: string; displayName: string; description?: string }[]> {
  if (handoffs.length === 0) return []
  const rows = await ctx.sql<{ agentId: string; displayName: string; description: string | null }[]>`
    select id as agent_id, config ->> 'displayName' as display_name, config ->> 'description' as description
    from agents where workspace_id = ${ctx.workspaceId} and id in ${ctx.sql(handoffs)}`
  return handoffs.map(agentId => {
    const { description, ...found } = rows.find(row => row.agentId === agentId) ?? {
      agentId,
      displayName: agentId,
      description: null
    }
    return description === null ? found : { ...found, description }
  })
}
