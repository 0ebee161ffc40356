import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { privilegeEscalations } from '@waystation/protocol/agent/privilege-escalations.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Describes, one sentence each, what a change allows the agent to do in addition. It considers the server's own tools,
 * and the agents that embed this one and change with it.
 */
export async function escalationsOf(
  ctx: Ctx,
  agentId: string,
  [before, after]: readonly [AgentConfig, AgentConfig],
  changes: readonly ConfigChange[]
): Promise<string[]> {
  const defaultApprovals = Object.fromEntries(
    ctx.ports.listedTools.map(({ name, approval }) => [name, approval])
  )
  const escalations = privilegeEscalations(before, after, defaultApprovals)
  if (!changes.some(({ path: [section] }) => section === 'chat')) return escalations
  const embedders = await embeddersOf(ctx, agentId)
  return embedders.length === 0
    ? escalations
    : [...escalations, `The change can also affect agents that may embed this one: ${embedders.join(', ')}.`]
}

/** Finds agents that might embed this one. Any mention of its ID next to any embed is enough, so none is missed. */
async function embeddersOf(ctx: Ctx, agentId: string): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select config ->> 'displayName' as name from agents
    where workspace_id = ${ctx.workspaceId} and id <> ${agentId} and strpos(config::text, ${agentId}) > 0
      and (strpos(config::text, '@ag.embed') > 0 or strpos(config::text, '@{{') > 0)
    order by 1 limit 20`
  return rows.map(({ name }) => name)
}
