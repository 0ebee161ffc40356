import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The alarms that agents set (001-20). `nextAt` is the time at which an open alarm fires, through its own job.
 * `callId` is the call that set it, so that the same call sets the same alarm when it runs again.
 *
 * An alarm fires once, every `repeatMinutes`, or at the times of a cron expression in a time zone.
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
    /** The last time it fired, and the inbox item of that time. */
    firedAt: at('fired_at'),
    itemId: text('item_id')
  },
  table => [
    unique('alarms_of_call').on(table.sessionKey, table.generation, table.callId),
    index('alarms_due').on(table.nextAt).where(sql`state = 'open'`)
  ]
)
