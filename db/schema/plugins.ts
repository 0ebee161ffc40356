import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/** The saved settings of a workspace's gRPC plugins (003-5): text by field name. */
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
