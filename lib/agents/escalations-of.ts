import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { isSame } from '@waystation/protocol/agent/config-diff.ts'
import { privilegeEscalations } from '@waystation/protocol/agent/privilege-escalations.ts'
import { maskUrl } from '@waystation/protocol/external-agent/mask-url.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { EmbedError } from './embeds/embed-error.ts'
import { resolveAgent } from './resolve-agent.ts'

/**
 * Describes, one sentence each, what a change allows the agent to do in addition. It considers the server's own tools,
 * the hosts of embedded tools, and the agents that embed this one and change with it.
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
  const escalations = [
    ...privilegeEscalations(before, after, defaultApprovals),
    ...(await embeddedAddresses(ctx, before, after))
  ]
  if (!changes.some(({ path: [section] }) => section === 'chat')) return escalations
  const embedders = await embeddersOf(ctx, agentId)
  return embedders.length === 0
    ? escalations
    : [...escalations, `The change can also affect agents that may embed this one: ${embedders.join(', ')}.`]
}

/**
 * Names the hosts that new and changed embedded tools call. The embed does not show them. An embed that cannot be resolved
 * cannot be published either, so it calls no host.
 */
async function embeddedAddresses(ctx: Ctx, before: AgentConfig, after: AgentConfig): Promise<string[]> {
  if (before.type !== 'chat' || after.type !== 'chat') return []
  const known = before.chat.tools
  const added = after.chat.tools.filter(tool => '@ag.embed' in tool && !known.some(old => isSame(old, tool)))
  const { tools } = await resolveAgent(ctx, {
    ...after.chat,
    instructions: '',
    skills: [],
    tools: added
  }).catch((error: unknown) => {
    if (error instanceof EmbedError) return { tools: [] }
    throw error
  })
  return tools.flatMap(tool => ('url' in tool ? [`${tool.name} calls ${maskUrl(tool.url)}.`] : []))
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
