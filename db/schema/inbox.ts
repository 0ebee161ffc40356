import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The inbox: everything that requires a session to act. Workers read the rows that are not consumed, never by a
 * cursor. A row is consumed in the transaction that adds it to the context.
 */
export const inbox = pgTable(
  'inbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    itemId: text('item_id').notNull().unique(),
    kind: text('kind').$type<'message' | 'answer' | 'retry' | 'yield' | 'oob'>().notNull(),
    /**
     * For a message: how it was sent while the session was busy. `start` means that it started its own turn at
     * once.
     */
    mode: text('mode').$type<'start' | 'queue' | 'steer' | 'interrupt'>(),
    messageId: text('message_id'),
    toolCallId: text('tool_call_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
    consumedAt: at('consumed_at')
  },
  table => [index('inbox_open').on(table.sessionKey, table.id).where(sql`consumed_at is null`)]
)

/**
 * The response to a request with an idempotency key, which the same key gets again. The scope is session,
 * generation and verb.
 */
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
