import { notFound } from '@waystation/base/api-error.ts'
import type { CatalogueEntry, InCatalogue } from '@waystation/protocol/agent/catalogue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { builtInEntry } from './built-in-entry.ts'
import { staticEntries } from './registry.ts'

/** Returns one entry of the catalog with its data. Throws `NOT_FOUND` if it is unknown. */
export async function getCatalogueEntry({ ports }: Ctx, { slug }: InCatalogue): Promise<CatalogueEntry> {
  const tool = ports.listedTools.find(({ name }) => name === slug)
  const entry = staticEntries.get(slug) ?? (tool && builtInEntry(tool))
  if (entry === undefined) throw notFound('catalog entry', slug)
  return entry
}
