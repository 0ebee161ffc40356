import type { Delivery, DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * A message to an external system, with its attempts and its state. The ID is derived from the subject of the
 * message, so that each one exists only once.
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
    /** An attempt runs until this time. If its process dies, another attempt can start afterwards. */
    claimedUntil: at('claimed_until')
  },
  table => [
    index('deliveries_pending').on(table.createdAt).where(sql`state = 'pending'`),
    index('deliveries_dead').on(table.createdAt).where(sql`state = 'failed'`),
    index('deliveries_by_session').on(table.sessionKey, table.createdAt)
  ]
)
