import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Delivery, DeliveryAttempt } from '#lib/protocol/external-agent/delivery.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Something sent out to another system, with its attempts and a state. Its ID is made of what it is about, so that there
 * is one of each.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    toolCallId: text('tool_call_id'),
    messageId: text('message_id'),
    webhookId: text('webhook_id'),
    kind: text('kind').$type<Delivery['kind']>().notNull(),
    url: text('url').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    state: text('state').$type<Delivery['state']>().notNull().default('pending'),
    retries: integer('retries').notNull().default(0),
    attempts: jsonb('attempts').$type<DeliveryAttempt[]>().notNull().default([]),
    createdAt: at('created_at').notNull().default(sql`clock_timestamp()`),
    nextAt: at('next_at'),
    /** An attempt is under way; if its process dies, another one may begin after this. */
    claimedUntil: at('claimed_until')
  },
  table => [
    index('deliveries_pending').on(table.createdAt).where(sql`state = 'pending'`),
    index('deliveries_dead').on(table.createdAt).where(sql`state = 'failed'`),
    index('deliveries_by_session').on(table.sessionKey, table.createdAt)
  ]
)
