import { bigint, json, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * The log of a session's events. `payload` is a LoggedEvent without its `type`. `fromSeq` is set on a compacted
 * message: the first `seq` of the range that it replaces. A cursor inside the range receives a `reset`.
 */
export const events = pgTable(
  'events',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    type: text('type').notNull(),
    messageId: text('message_id'),
    turnId: text('turn_id'),
    fromSeq: bigint('from_seq', { mode: 'number' }),
    payload: json('payload').$type<Record<string, unknown>>().notNull(),
    at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.seq] })]
)
