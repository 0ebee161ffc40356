import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import type { EmbedTarget } from '@waystation/protocol/agent/embed.ts'
import { and, eq } from 'drizzle-orm'
import { agentRevisions } from '#db/schema/agents.ts'
import { agentIfAny } from '#lib/agents/agent-for.ts'
import { ownEntry } from '#lib/agents/catalogue/own-entries.ts'
import { staticEntries } from '#lib/agents/catalogue/registry.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Found, Lookup } from './resolve.ts'

/**
 * Returns a lookup of references in this workspace. A `workflow` is a catalog entry of the server or of the workspace,
 * whose `id` is its URI. Archived entries are found too, so that agents keep them. An `agent` is the published
 * configuration of an agent, or one of its revisions. `saving` and `savingEntry` are not saved yet. They are used as if
 * they were saved, so that circles through them are found.
 */
export const lookupIn =
  (ctx: Ctx, saving?: AgentConfig, savingEntry?: OfferedEntry): Lookup =>
  ({ workflow, agent }) =>
    workflow !== undefined
      ? entryOf(ctx, workflow, savingEntry)
      : agent !== undefined
        ? agentOf(ctx, agent, saving)
        : undefined

async function entryOf(ctx: Ctx, target: EmbedTarget, saving?: OfferedEntry): Promise<Found | undefined> {
  const { id, slug = '' } = target
  const version = target.version ?? target.revision
  const requested = version === undefined ? undefined : String(version)
  const builtIn =
    id === undefined ? staticEntries.get(slug) : [...staticEntries.values()].find(({ uri }) => uri === id)
  const entry = builtIn ?? (await ownTarget(ctx, target, requested, saving))
  if (entry === undefined || (requested !== undefined && requested !== entry.version)) return undefined
  const name = `workflow ${entry.slug}${entry.own ? `@${entry.version}` : ''}`
  return { name, data: entry.data, embeddable: entry.embeddable }
}

/** Finds one of the workspace's own entries by its slug, or by its URI, which contains the version. */
async function ownTarget(ctx: Ctx, { id, slug = '' }: EmbedTarget, version?: string, saving?: OfferedEntry) {
  const inUri = id === undefined ? undefined : /^workspace:(?:tool|skill):([\w-]+):(v\d+)$/.exec(id)
  const target = { slug: inUri?.[1] ?? slug, version: inUri?.[2] ?? version }
  const isSaving = target.slug === saving?.slug && (target.version ?? saving.version) === saving.version
  const entry = isSaving ? saving : await ownEntry(ctx, target.slug, target.version)
  return id === undefined || entry?.uri === id ? entry : undefined
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
