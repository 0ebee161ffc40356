import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { AgentConfig } from '#lib/protocol/agent.ts'
import { workspaces } from './workspaces.ts'

/** An agent's current configuration; `revision` counts its saved changes from 1. */
export const agents = pgTable(
  'agents',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    revision: integer('revision').notNull().default(1),
    config: jsonb('config').$type<AgentConfig>().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.id] })]
)

/** Every configuration an agent has had, the current one included. */
export const agentRevisions = pgTable(
  'agent_revisions',
  {
    workspaceId: text('workspace_id').notNull(),
    agentId: text('agent_id').notNull(),
    revision: integer('revision').notNull(),
    config: jsonb('config').$type<AgentConfig>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow()
  },
  table => [primaryKey({ columns: [table.workspaceId, table.agentId, table.revision] })]
)
