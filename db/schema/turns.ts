import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { RanOn } from '#lib/protocol/agent/agent-revision.ts'
import type { TurnError, TurnOutcome } from '#lib/protocol/session/event.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * One run of the loop, from what started it to its one terminal event. `begun` counts steps begun, `committed` steps
 * committed: `begun > committed` on a new owner's desk means that a step was cut off. `budgetSteps` and `budgetUsd`
 * count since a person's last input, so that a chain of automatic answers cannot run for ever; `budgetSince` says since when,
 * as an alarm begins them anew once a day.
 */
export const turns = pgTable(
  'turns',
  {
    id: text('id').primaryKey(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    messageId: text('message_id'),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    outcome: text('outcome').$type<TurnOutcome>(),
    error: jsonb('error').$type<TurnError>(),
    retryAt: at('retry_at'),
    attempt: integer('attempt').notNull().default(0),
    /** Workers that died in a row over the same step. */
    crashes: integer('crashes').notNull().default(0),
    begun: integer('begun').notNull().default(0),
    committed: integer('committed').notNull().default(0),
    beganAt: at('began_at'),
    /** What its newest step began on; null: as its message says. */
    ranOn: jsonb('ran_on').$type<RanOn>(),
    /** The revisions of the session's own agent that its steps began on, in that order; one that follows itself is there once. */
    revisions: integer('revisions').array().notNull().default([]),
    /** Steps that earlier turns of its run kept: those that left it parked. */
    runRounds: integer('run_rounds').notNull().default(0),
    /** The context entry behind which the messages stand that began its run; null: no message began it. */
    runFrom: bigint('run_from', { mode: 'number' }),
    budgetSteps: integer('budget_steps').notNull().default(0),
    budgetUsd: doublePrecision('budget_usd').notNull().default(0),
    budgetSince: at('budget_since'),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
    usd: doublePrecision('usd').notNull().default(0)
  },
  table => [
    index('turns_by_session').on(table.sessionKey, table.startedAt),
    index('turns_to_retry').on(table.retryAt).where(sql`retry_at is not null`)
  ]
)
