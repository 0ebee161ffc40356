import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { ConfigChange } from '#lib/protocol/agent/agent-revision.ts'
import { privilegeEscalations } from '#lib/protocol/agent/privilege-escalations.ts'

/**
 * What a change of an agent lets it, or another one, do more, a sentence each: by this server's own tools, and with those who
 * embed it and so change with it.
 */
export async function escalationsOf(
  ctx: Ctx,
  agentId: string,
  [before, after]: readonly [AgentConfig, AgentConfig],
  changes: readonly ConfigChange[]
): Promise<string[]> {
  const usual = Object.fromEntries(ctx.ports.listedTools.map(({ name, approval }) => [name, approval]))
  const own = privilegeEscalations(before, after, usual)
  if (!changes.some(({ path: [part] }) => part === 'chat')) return own
  const followers = await followersOf(ctx, agentId)
  return followers.length === 0
    ? own
    : [...own, `The change can also affect agents that may embed this one: ${followers.join(', ')}.`]
}

/** Agents with an embed that may mean this one: a mention of its ID beside any embed counts, so that none is missed. */
async function followersOf(ctx: Ctx, agentId: string): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select config ->> 'displayName' as name from agents
    where workspace_id = ${ctx.workspaceId} and id <> ${agentId} and strpos(config::text, ${agentId}) > 0
      and (strpos(config::text, '@ag.embed') > 0 or strpos(config::text, '@{{') > 0)
    order by 1 limit 20`
  return rows.map(({ name }) => name)
}
