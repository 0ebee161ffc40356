import { bigint, foreignKey, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The wikis of a workspace (001-20). `revision` increases with every change, so that loaded copies can be
 * recognized as outdated.
 */
export const wikis = pgTable(
  'wikis',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Changes when a wiki of this name is created again. */
    id: text('id').notNull().unique(),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    changedAt: at('changed_at').notNull()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.name] })]
)

/**
 * The tiddlers of wikis. `fields` contains the fields that have no column, all as text. `created` and `modified`
 * are the tiddler's own times, from where it was written. `revision` is the wiki's revision when the tiddler was
 * last imported.
 */
export const tiddlers = pgTable(
  'tiddlers',
  {
    workspaceId: text('workspace_id').notNull(),
    wiki: text('wiki').notNull(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    type: text('type').notNull(),
    tags: jsonb('tags').$type<string[]>().notNull(),
    fields: jsonb('fields').$type<Record<string, string>>().notNull(),
    created: at('created'),
    modified: at('modified'),
    revision: bigint('revision', { mode: 'number' }).notNull()
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.wiki, table.title] }),
    foreignKey({
      columns: [table.workspaceId, table.wiki],
      foreignColumns: [wikis.workspaceId, wikis.name]
    }).onDelete('cascade'),
    index('tiddlers_by_modified').on(table.workspaceId, table.wiki, table.modified)
  ]
)
