import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * How far each reader has read a session. `reader` is the ID of a member or an API key, as in `Identity`. `readPos` is
 * the `pos` of the newest message that they have seen. A reader without a row has never opened the session, and has no
 * unread mark for it.
 */
export const sessionReads = pgTable(
  'session_reads',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    reader: text('reader').notNull(),
    readPos: bigint('read_pos', { mode: 'number' }).notNull()
  },
  table => [
    primaryKey({ columns: [table.sessionKey, table.reader] }),
    index('session_reads_of').on(table.reader)
  ]
)
