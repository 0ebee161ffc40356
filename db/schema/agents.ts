import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { RevisionSource } from '@waystation/protocol/agent/agent-revision.ts'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * An agent's published configuration. `revision` counts its published changes from 1. `draft` is the unpublished
 * next configuration, based on the revision `draftBase`.
 *
 * `draftVersion` increases with every save and end of a draft and never restarts, so that a client with an older
 * draft gets an error. `draftBy` and `draftAt` belong to the last of these changes.
 */
export const agents = pgTable(
  'agents',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    revision: integer('revision').notNull().default(1),
    config: jsonb('config').$type<AgentConfig>().notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
    draft: jsonb('draft').$type<AgentConfig>(),
    draftBase: integer('draft_base'),
    draftVersion: integer('draft_version').notNull().default(0),
    draftBy: text('draft_by'),
    draftAt: at('draft_at')
  },
  table => [primaryKey({ columns: [table.workspaceId, table.id] })]
)

/**
 * Every configuration that an agent has had, including the published one. A trigger rejects changes to rows. Revisions
 * below zero are snapshots for trials, which were never published (decision 064). Only they can be deleted.
 */
export const agentRevisions = pgTable(
  'agent_revisions',
  {
    workspaceId: text('workspace_id').notNull(),
    agentId: text('agent_id').notNull(),
    revision: integer('revision').notNull(),
    config: jsonb('config').$type<AgentConfig>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: at('saved_at').notNull().defaultNow(),
    note: text('note'),
    source: text('source').$type<RevisionSource>().notNull().default('edit')
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.agentId, table.revision] }),
    index('agent_revisions_snapshots').on(table.savedAt).where(sql`revision < 0`)
  ]
)
