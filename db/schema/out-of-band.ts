import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type {
  OobMetadata,
  OobPriority,
  OobSource,
  OobStatus
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Out-of-band messages and the times of their receipts (004-5). A message that waits for the agent is also in the
 * inbox, with the same ID. It is consumed there in the transaction that adds it to the context.
 */
export const outOfBand = pgTable(
  'out_of_band',
  {
    id: text('id').primaryKey(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    source: text('source').$type<OobSource>().notNull(),
    sourceId: text('source_id').notNull(),
    /**
     * The real sender, independent of `source`. The agent's resulting calls also count this user as an asker. Null:
     * an agent.
     */
    sender: jsonb('sender').$type<Identity>(),
    priority: text('priority').$type<OobPriority>().notNull(),
    content: text('content').notNull(),
    metadata: jsonb('metadata').$type<OobMetadata>().notNull().default({}),
    status: text('status').$type<OobStatus>().notNull().default('visible'),
    queuedAt: at('queued_at').notNull(),
    /** When it could first reach the agent. Null while it is held for approval. */
    visibleAt: at('visible_at').default(sql`clock_timestamp()`),
    /** The name of the user who approved it, if the session's policy held it. */
    approvedBy: text('approved_by'),
    injectedAt: at('injected_at'),
    acknowledgedAt: at('acknowledged_at'),
    cancelledAt: at('cancelled_at'),
    /** The name of the caller who removed it. */
    cancelledBy: text('cancelled_by'),
    /** Null: it never expires. */
    expiresAt: at('expires_at'),
    effect: text('effect'),
    /**
     * For a message from an agent: the session that sent it, and the chain of sessions through which it passed, the
     * sender last.
     */
    fromKey: bigint('from_key', { mode: 'number' }),
    chain: jsonb('chain').$type<number[]>().notNull().default([]),
    /** The number of sessions over which it was forwarded, on the longest path. */
    hops: integer('hops').notNull().default(0),
    /** The agent's message in which it was delivered. */
    messageId: text('message_id')
  },
  table => [
    index('out_of_band_by_session').on(table.sessionKey, table.queuedAt),
    index('out_of_band_waiting').on(table.expiresAt).where(sql`status in ('visible', 'held')`),
    index('out_of_band_held').on(table.queuedAt).where(sql`status = 'held'`)
  ]
)
