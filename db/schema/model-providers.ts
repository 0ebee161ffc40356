import { jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

/** Model providers that owners configured for their workspace. They replace those of the server's environment. */
export const modelProviders = pgTable(
  'model_providers',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The part of a model name before the first slash. */
    name: text('name').notNull(),
    /** The kind of provider. It is the same as the name, except for named servers. */
    kind: text('kind').notNull(),
    /** The values of fields that are not secret, by name. */
    values: jsonb('values').$type<Record<string, string>>().notNull(),
    /** The values of secret fields as JSON, encrypted by the vault. */
    sealed: text('sealed').notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.name] })]
)
