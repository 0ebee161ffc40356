import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/** What is saved of the settings of a workspace's plugins in other languages (003-5): text by the name of its field. */
export const pluginSettings = pgTable(
  'plugin_settings',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    plugin: text('plugin').notNull(),
    settings: jsonb('settings').$type<Record<string, string>>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.plugin] })]
)
