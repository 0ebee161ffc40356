import { notFound } from '@waystation/base/api-error.ts'
import type { ArchiveCatalogueEntry, CatalogueEntry } from '@waystation/protocol/agent/catalogue.ts'
import { and, eq } from 'drizzle-orm'
import { catalogueEntries } from '#db/schema/catalogue.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { withUsers } from './get.ts'
import { lockCatalogue } from './lock-catalogue.ts'
import { ownEntry } from './own-entries.ts'

/**
 * Archives one of the workspace's own entries: the catalog no longer offers it, and agents that use it keep it. Archiving
 * it again changes nothing. Throws `NOT_FOUND` for other entries.
 */
export function archiveCatalogueEntry(ctx: Ctx, { slug }: ArchiveCatalogueEntry): Promise<CatalogueEntry> {
  return inTransaction(ctx, async tx => {
    await lockCatalogue(tx)
    const entry = await ownEntry(tx, slug)
    if (entry === undefined) throw notFound('entry of this workspace', slug)
    if (!entry.archived) {
      const archivedAt = await recordChange(tx, 'catalogue.archived', `${slug}@${entry.version}`)
      await tx.db
        .update(catalogueEntries)
        .set({ archivedAt })
        .where(and(eq(catalogueEntries.workspaceId, tx.workspaceId), eq(catalogueEntries.slug, slug)))
    }
    return withUsers(tx, { ...entry, archived: true })
  })
}
