import type { CatalogueItem, ListCatalogue } from '@waystation/protocol/agent/catalogue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { builtInEntry } from './built-in-entry.ts'
import { ownEntries } from './own-entries.ts'
import { staticEntries } from './registry.ts'
import { usersOf } from './used-by.ts'

/**
 * Lists everything that agents can use: the server's tools, then the entries that agents can embed, then the
 * workspace's own entries.
 */
export async function listCatalogue(
  ctx: Ctx,
  { archived = false }: ListCatalogue
): Promise<{ entries: CatalogueItem[] }> {
  const tools = ctx.ports.listedTools.map(tool => builtInEntry(tool))
  const own = (await ownEntries(ctx)).filter(entry => archived || !entry.archived)
  const usedBy = await usersOf(ctx)
  const entries = [...tools, ...staticEntries.values(), ...own]
  return { entries: entries.map(({ data, ...item }) => ({ ...item, usedBy: usedBy({ ...item, data }) })) }
}
