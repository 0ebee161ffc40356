import type { Compaction } from '@waystation/protocol/session/compaction.ts'
import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp
} from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The compactions of a session's context window: the last entry that left the window (`toId`), and how the summary
 * was created.
 */
export const compactions = pgTable(
  'compactions',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    /** The order in which they were created. */
    n: bigint('n', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    toId: bigint('to_id', { mode: 'number' }).notNull(),
    entries: integer('entries').notNull(),
    madeBy: text('made_by').$type<Compaction['madeBy']>().notNull(),
    /** The cost of creating the summary. Zero for a summary of fixed text. */
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    usd: doublePrecision('usd').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow()
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.id] }),
    index('compactions_by_order').on(table.sessionKey, table.n)
  ]
)
