import type { CatalogueItem, ListCatalogue } from '@waystation/protocol/agent/catalogue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { builtInEntry } from './built-in-entry.ts'
import { staticEntries } from './registry.ts'

/** Lists everything that agents can use: the server's tools, then the entries that agents can embed. */
export async function listCatalogue(
  { ports }: Ctx,
  __: ListCatalogue
): Promise<{ entries: CatalogueItem[] }> {
  const entries = [...ports.listedTools.map(builtInEntry), ...staticEntries.values()]
  return { entries: entries.map(({ data: _, ...item }) => item) }
}
