import type { RanOn } from '@waystation/protocol/agent/agent-revision.ts'
import type { TurnError, TurnOutcome } from '@waystation/protocol/session/event.ts'
import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * One run of the loop, from its trigger to its one terminal event. `begun` counts the started steps and `committed`
 * the committed ones. If `begun > committed` when a new worker takes over, a step was interrupted.
 *
 * `budgetSteps` and `budgetUsd` count since the last input of a user, so that a chain of automatic answers cannot
 * run forever. `budgetSince` is the start of that count, because an alarm resets it once a day.
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
    /** The number of consecutive workers that died during the same step. */
    crashes: integer('crashes').notNull().default(0),
    begun: integer('begun').notNull().default(0),
    committed: integer('committed').notNull().default(0),
    beganAt: at('began_at'),
    /** The agent and revision that its newest step started on. Null: as in its message. */
    ranOn: jsonb('ran_on').$type<RanOn>(),
    /**
     * The revisions of the session's own agent that its steps started on, in order, without consecutive repeats.
     */
    revisions: integer('revisions').array().notNull().default([]),
    /** The committed steps of earlier turns of its run, which ended when the session parked. */
    runRounds: integer('run_rounds').notNull().default(0),
    /** The context entry before the messages that started its run. Null: no message started it. */
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
