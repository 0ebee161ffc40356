import type { CatalogueKind } from '@waystation/protocol/agent/catalogue.ts'
import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The versions of the catalog entries that a workspace added. A row never changes, except for `archivedAt` of the
 * newest version, so that agents keep the version that they name.
 */
export const catalogueEntries = pgTable(
  'catalogue_entries',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    /** Counts from 1. Users see it as `v1`. */
    version: integer('version').notNull(),
    kind: text('kind').$type<CatalogueKind>().notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: at('saved_at').notNull(),
    archivedAt: at('archived_at')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.slug, table.version] })]
)
