import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'
import type { DeliveryAttempt } from '#lib/protocol/delivery.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Something sent out to another system, with its attempts and a state. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    toolCallId: text('tool_call_id'),
    kind: text('kind').$type<'call.opened'>().notNull(),
    url: text('url').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    state: text('state')
      .$type<'pending' | 'delivered' | 'failed' | 'withdrawn'>()
      .notNull()
      .default('pending'),
    retries: integer('retries').notNull().default(0),
    attempts: jsonb('attempts').$type<DeliveryAttempt[]>().notNull().default([]),
    createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
    nextAt: at('next_at')
  },
  table => [
    unique('deliveries_once').on(table.sessionKey, table.toolCallId, table.kind),
    index('deliveries_pending').on(table.createdAt).where(sql`state = 'pending'`),
    index('deliveries_by_session').on(table.sessionKey, table.createdAt)
  ]
)
