import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Identity } from '#lib/protocol/call/answerers.ts'
import type { OobMetadata, OobPriority, OobSource, OobStatus } from '#lib/protocol/out-of-band/out-of-band.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Out-of-band messages and the times of their receipts (004-5). What of them waits for the agent is in the inbox, under the
 * same ID, and is consumed there in the transaction that puts it into the context.
 */
export const outOfBand = pgTable(
  'out_of_band',
  {
    id: text('id').primaryKey(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    source: text('source').$type<OobSource>().notNull(),
    sourceId: text('source_id').notNull(),
    /** Who really sent it, whatever the source says: of what the agent does then, they are an asker. Null: an agent. */
    sender: jsonb('sender').$type<Identity>(),
    priority: text('priority').$type<OobPriority>().notNull(),
    content: text('content').notNull(),
    metadata: jsonb('metadata').$type<OobMetadata>().notNull().default({}),
    status: text('status').$type<OobStatus>().notNull().default('visible'),
    queuedAt: at('queued_at').notNull(),
    /** When it could first reach the agent: null while it is held for somebody's yes. */
    visibleAt: at('visible_at').default(sql`clock_timestamp()`),
    /** Who let it in, by name, where the session's policy held it. */
    approvedBy: text('approved_by'),
    injectedAt: at('injected_at'),
    acknowledgedAt: at('acknowledged_at'),
    cancelledAt: at('cancelled_at'),
    /** Null: it waits for the agent as long as it takes. */
    expiresAt: at('expires_at'),
    effect: text('effect'),
    /** Of an agent: the session it was sent from, and those through which the news came, this one last. */
    fromKey: bigint('from_key', { mode: 'number' }),
    chain: jsonb('chain').$type<number[]>().notNull().default([]),
    /** Over how many sessions it was passed on to come here, by its longest way. */
    hops: integer('hops').notNull().default(0),
    /** The agent's message in which it was told. */
    messageId: text('message_id')
  },
  table => [
    index('out_of_band_by_session').on(table.sessionKey, table.queuedAt),
    index('out_of_band_waiting').on(table.expiresAt).where(sql`status in ('visible', 'held')`)
  ]
)
