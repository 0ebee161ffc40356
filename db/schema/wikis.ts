import type { WikiAction } from '@waystation/protocol/wiki/wiki-changed.ts'
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique
} from 'drizzle-orm/pg-core'
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
 * last imported or changed.
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

/**
 * Changes of wikis by agents, so that users can undo them and a call that runs again finds what it did. `tiddlers` has each
 * tiddler that was changed: its title, whether it was removed (`gone`), and what it was before. After an undo, `before` is
 * removed. `bytes` is the size of `tiddlers`. `part` numbers the changes of one call.
 */
export const wikiChanges = pgTable(
  'wiki_changes',
  {
    workspaceId: text('workspace_id').notNull(),
    wiki: text('wiki').notNull(),
    id: text('id').notNull().unique(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    action: text('action').$type<WikiAction>().notNull(),
    title: text('title').notNull(),
    newTitle: text('new_title'),
    tiddlers: jsonb('tiddlers').notNull(),
    bytes: integer('bytes').notNull(),
    agentId: text('agent_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    sessionId: text('session_id').notNull(),
    messageId: text('message_id').notNull(),
    toolCallId: text('tool_call_id').notNull(),
    toolName: text('tool_name').notNull(),
    part: integer('part').notNull(),
    at: at('at').notNull(),
    undoneAt: at('undone_at'),
    undoneBy: text('undone_by')
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.wiki, table.revision] }),
    foreignKey({
      columns: [table.workspaceId, table.wiki],
      foreignColumns: [wikis.workspaceId, wikis.name]
    }).onDelete('cascade'),
    unique('wiki_changes_of_call').on(table.sessionKey, table.generation, table.toolCallId, table.part)
  ]
)
