import { and, eq } from 'drizzle-orm'
import { agentRevisions } from '#db/schema/agents.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { staticEntries } from '#lib/agents/catalogue/registry.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { EmbedTarget } from '#lib/protocol/agent/embed.ts'
import type { Found, Lookup } from './resolve.ts'

/**
 * What references lead to in this workspace. A `workflow` is an entry of the catalogue (its `id` is its uri), an `agent`
 * another agent's configuration as it is now, or was at a revision. `saving`: one that is not saved yet and counts as if
 * it were, so that a circle through it is found.
 */
export const lookupIn =
  (ctx: Ctx, saving?: AgentConfig): Lookup =>
  ({ workflow, agent }) =>
    workflow !== undefined ? entryOf(workflow) : agent !== undefined ? agentOf(ctx, agent, saving) : undefined

function entryOf({ id, slug = '', version, revision }: EmbedTarget): Found | undefined {
  const entry =
    id === undefined ? staticEntries.get(slug) : [...staticEntries.values()].find(({ uri }) => uri === id)
  const wanted = version ?? revision
  if (entry === undefined || (wanted !== undefined && String(wanted) !== entry.version)) return undefined
  return { name: `workflow ${entry.slug}`, data: entry.data, embeddable: entry.embeddable }
}

async function agentOf(ctx: Ctx, target: EmbedTarget, saving?: AgentConfig): Promise<Found | undefined> {
  const agentId = target.id ?? target.slug ?? ''
  const revision = target.version ?? target.revision
  if (revision === undefined) {
    const data = agentId === saving?.agentId ? saving : await agentIfAny(ctx, agentId)
    return data && { name: `agent ${agentId}`, data }
  }
  if (!/^[1-9]\d{0,8}$/.test(String(revision))) return undefined
  const [row] = await ctx.db
    .select({ data: agentRevisions.config })
    .from(agentRevisions)
    .where(
      and(
        eq(agentRevisions.workspaceId, ctx.workspaceId),
        eq(agentRevisions.agentId, agentId),
        eq(agentRevisions.revision, Number(revision))
      )
    )
  return row && { name: `agent ${agentId}@${revision}`, data: row.data }
}
