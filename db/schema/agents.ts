import { integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { AgentConfig } from '#lib/protocol/agent/agent.ts'
import type { RevisionSource } from '#lib/protocol/agent/agent-revision.ts'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * An agent's published configuration; `revision` counts its published changes from 1. `draft` is what somebody prepares
 * for the next one, over the revision `draftBase`. `draftVersion` counts every save and end of a draft and never restarts,
 * so that whoever looks at an older one is told; `draftBy` and `draftAt` are of the last of them.
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

/** Every configuration an agent has had, the published one included. A row never changes: a trigger refuses it. */
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
  table => [primaryKey({ columns: [table.workspaceId, table.agentId, table.revision] })]
)
