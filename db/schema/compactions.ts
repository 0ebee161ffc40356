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
import type { Compaction } from '#lib/protocol/compaction.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * How often a session's prompt window has moved: what was left out (the context behind `fromId`, up to `toId`), what
 * stands for it since, and what stood there before, so that it can be put back. They lie on each other: the newest
 * that was not put back is the one that the window starts behind.
 */
export const compactions = pgTable(
  'compactions',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    id: text('id').notNull(),
    /** The order in which they came. */
    n: bigint('n', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    turnId: text('turn_id').notNull(),
    /** The message that shows it. */
    messageId: text('message_id').notNull(),
    fromId: bigint('from_id', { mode: 'number' }).notNull(),
    toId: bigint('to_id', { mode: 'number' }).notNull(),
    entries: integer('entries').notNull(),
    /** The entries' own tokens, which the window has again when they are put back. */
    tokens: integer('tokens').notNull(),
    summaryBefore: text('summary_before').notNull(),
    summary: text('summary').notNull(),
    madeBy: text('made_by').$type<Compaction['madeBy']>().notNull(),
    /** What making it took, of whoever was asked; nothing for words. */
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    usd: doublePrecision('usd').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
    putBackAt: at('put_back_at')
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.id] }),
    index('compactions_by_order').on(table.sessionKey, table.n)
  ]
)
