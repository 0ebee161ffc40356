import { notFound } from '@waystation/base/api-error.ts'
import type { CatalogueEntry, InCatalogue, OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import { redactAddresses } from '#lib/agents/redact-urls-for.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { builtInEntry } from './built-in-entry.ts'
import { ownEntry } from './own-entries.ts'
import { staticEntries } from './registry.ts'
import { usersOf } from './used-by.ts'

/**
 * Returns one entry of the catalog with its data. `version` selects another version than the newest one. Throws
 * `NOT_FOUND` if it is unknown.
 */
export async function getCatalogueEntry(ctx: Ctx, { slug, version }: InCatalogue): Promise<CatalogueEntry> {
  const tool = ctx.ports.listedTools.find(({ name }) => name === slug)
  const known = staticEntries.get(slug) ?? (tool && builtInEntry(tool, ctx.ports.tools.get(slug)?.input))
  if (known !== undefined && version !== undefined && version !== known.version)
    throw notFound('catalog entry', `${slug}@${version}`)
  const entry = known ?? (await ownEntry(ctx, slug, version))
  if (entry === undefined)
    throw notFound('catalog entry', version === undefined ? slug : `${slug}@${version}`)
  return withUsers(ctx, entry)
}

/** Adds the agents that use an entry. Only owners and editors see its complete URL. */
export async function withUsers(ctx: Ctx, entry: OfferedEntry): Promise<CatalogueEntry> {
  const { tool } = entry.data.parameters as { tool?: { url?: string } }
  const usedBy = (await usersOf(ctx))(entry)
  return redactAddresses(ctx, { ...entry, usedBy }, tool?.url === undefined ? [] : [tool.url])
}
