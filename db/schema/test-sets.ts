import type { TurnRef, Variant } from '@waystation/protocol/session/comparison.ts'
import { foreignKey, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { workspaces } from './workspaces.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Messages to run on several configurations of an agent. */
export const testSets = pgTable(
  'test_sets',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    agentId: text('agent_id').notNull(),
    name: text('name').notNull(),
    messages: jsonb('messages').$type<string[]>().notNull(),
    savedBy: text('saved_by').notNull(),
    savedAt: at('saved_at').notNull().defaultNow()
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('test_sets_by_agent').on(table.workspaceId, table.agentId)
  ]
)

/** A run of a test set: the turn of each message in each of its trial sessions. They start in one transaction. */
export const testRuns = pgTable(
  'test_runs',
  {
    workspaceId: text('workspace_id').notNull(),
    id: text('id').notNull(),
    testSetId: text('test_set_id').notNull(),
    key: text('key'),
    variants: jsonb('variants').$type<Variant[]>().notNull(),
    revisions: jsonb('revisions').$type<number[]>().notNull(),
    turns: jsonb('turns').$type<{ text: string; trials: TurnRef[] }[]>().notNull(),
    startedBy: text('started_by').notNull(),
    startedAt: at('started_at').notNull().defaultNow()
  },
  table => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    foreignKey({
      name: 'test_runs_of_set',
      columns: [table.workspaceId, table.testSetId],
      foreignColumns: [testSets.workspaceId, testSets.id]
    }).onDelete('cascade'),
    index('test_runs_by_set').on(table.workspaceId, table.testSetId, table.startedAt)
  ]
)
