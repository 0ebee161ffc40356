import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The one door in: anything that asks a session to act. Rows are read by "not consumed", never by a cursor, and
 * are consumed in the transaction that makes them part of the context.
 */
export const inbox = pgTable(
  'inbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    itemId: text('item_id').notNull().unique(),
    kind: text('kind').$type<'message' | 'answer' | 'retry' | 'yield' | 'oob'>().notNull(),
    /** Of a message: how it was sent while busy. `start` began its own turn at once. */
    mode: text('mode').$type<'start' | 'queue' | 'steer' | 'interrupt'>(),
    messageId: text('message_id'),
    toolCallId: text('tool_call_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
    consumedAt: at('consumed_at')
  },
  table => [index('inbox_open').on(table.sessionKey, table.id).where(sql`consumed_at is null`)]
)

/** What was answered to a keyed request, so that the same key gets it again. Scope: session, generation, verb. */
export const receipts = pgTable(
  'receipts',
  {
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    verb: text('verb').notNull(),
    key: text('key').notNull(),
    digest: text('digest').notNull(),
    receipt: jsonb('receipt').$type<Record<string, unknown>>().notNull(),
    createdAt: at('created_at').notNull().defaultNow()
  },
  table => [primaryKey({ columns: [table.sessionKey, table.generation, table.verb, table.key] })]
)
