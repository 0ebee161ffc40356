import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { EmbedTarget } from '@waystation/protocol/agent/embed.ts'
import { and, eq } from 'drizzle-orm'
import { agentRevisions } from '#db/schema/agents.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { staticEntries } from '#lib/agents/catalogue/registry.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Found, Lookup } from './resolve.ts'

/**
 * Returns a lookup of references in this workspace. A `workflow` is a catalog entry, whose `id` is its URI. An `agent`
 * is the published configuration of an agent, or one of its revisions. `saving` is a configuration that is not saved
 * yet. It is used as if it were saved, so that circles through it are found.
 */
export const lookupIn =
  (ctx: Ctx, saving?: AgentConfig): Lookup =>
  ({ workflow, agent }) =>
    workflow !== undefined ? entryOf(workflow) : agent !== undefined ? agentOf(ctx, agent, saving) : undefined

function entryOf({ id, slug = '', version, revision }: EmbedTarget): Found | undefined {
  const entry =
    id === undefined ? staticEntries.get(slug) : [...staticEntries.values()].find(({ uri }) => uri === id)
  const requested = version ?? revision
  if (entry === undefined || (requested !== undefined && String(requested) !== entry.version))
    return undefined
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
