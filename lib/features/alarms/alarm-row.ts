import type { Alarm, AlarmNews } from '@waystation/protocol/session/alarm.ts'
import type { Sql } from '#db/client.ts'
import { atLimit } from '#lib/engine/inbox/at-limit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Schedule } from './schedule.ts'

/** An alarm as stored. Times are text, as the driver returns them. */
export type AlarmRow = Schedule & {
  id: string
  sessionKey: number
  generation: number
  callId: string
  reminder: string | null
  state: 'open' | 'done' | 'cancelled'
  setAt: string
  firedAt: string | null
  itemId: string | null
}

/** The columns of an AlarmRow, for a `select` or a `returning`. */
export const alarmColumns = (sql: Sql) => sql`
  id, session_key, generation, call_id, reminder, state, next_at,
  repeat_minutes, cron, time_zone, set_at, fired_at,
  item_id`

/** Returns the open alarms of a session, ordered by their next time. */
export async function openAlarms(ctx: Ctx, sessionKey: number): Promise<Alarm[]> {
  const rows = await ctx.sql<(AlarmRow & { held: boolean })[]>`
    select ${alarmColumns(ctx.sql)}, next_at <= clock_timestamp() and ${atLimit(ctx, { sessionKey })} as held
    from alarms where session_key = ${sessionKey} and state = 'open' order by next_at, id`
  return rows.map(wireAlarm)
}

/** Returns the number of open alarms of a session and the earliest next time. */
export async function alarmSummary(ctx: Ctx, sessionKey: number): Promise<AlarmNews> {
  const [summary] = await ctx.sql<{ open: number; nextAt: string | null }[]>`
    select count(*)::int as open, min(next_at) as next_at from alarms where session_key = ${sessionKey} and state = 'open'`
  return { open: summary?.open ?? 0, ...(summary?.nextAt ? { nextAt: summary.nextAt } : {}) }
}

/** Returns the alarms part of a session's snapshot. It is empty if no alarm is open. */
export async function alarmsInSnapshot(tx: Ctx, sessionKey: number): Promise<{ alarms?: AlarmNews }> {
  const alarms = await alarmSummary(tx, sessionKey)
  return alarms.open > 0 ? { alarms } : {}
}

/** Converts a row to the API's form. */
function wireAlarm({ held, ...row }: AlarmRow & { held: boolean }): Alarm {
  return {
    alarmId: row.id,
    nextAt: row.nextAt,
    ...(row.timeZone === null ? {} : { timeZone: row.timeZone }),
    ...(row.reminder === null ? {} : { reminderMessage: row.reminder }),
    ...(row.repeatMinutes === null ? {} : { repeatIntervalMinutes: row.repeatMinutes }),
    ...(row.cron === null ? {} : { cron: row.cron }),
    ...(held ? { held } : {}),
    setAt: row.setAt,
    ...(row.firedAt === null ? {} : { firedAt: row.firedAt }),
    toolCallId: row.callId
  }
}
