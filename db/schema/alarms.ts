import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The wake-ups that agents set themselves (001-20). Of an open one `nextAt` says when it goes off; a job of its own rings then.
 * `callId` is the call that set it, so that the same call, run again, sets the same alarm. It repeats every so many minutes, or
 * at the times of a cron expression in a time zone, or not at all.
 */
export const alarms = pgTable(
  'alarms',
  {
    id: text('id').primaryKey(),
    sessionKey: bigint('session_key', { mode: 'number' }).notNull(),
    generation: integer('generation').notNull(),
    callId: text('call_id').notNull(),
    reminder: text('reminder'),
    state: text('state').$type<'open' | 'done' | 'cancelled'>().notNull().default('open'),
    nextAt: at('next_at').notNull(),
    repeatMinutes: integer('repeat_minutes'),
    cron: text('cron'),
    timeZone: text('time_zone'),
    setAt: at('set_at').notNull(),
    /** When it last went off, and the inbox item that came of it. */
    firedAt: at('fired_at'),
    itemId: text('item_id')
  },
  table => [
    unique('alarms_of_call').on(table.sessionKey, table.generation, table.callId),
    index('alarms_due').on(table.nextAt).where(sql`state = 'open'`)
  ]
)
