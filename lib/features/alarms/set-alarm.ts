import { invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { SetAlarm } from '@waystation/protocol/session/alarm.ts'
import type { AlarmSet } from '@waystation/protocol/session/alarm-set.ts'
import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AlarmRow, alarmColumns, alarmSummary } from './alarm-row.ts'
import { scheduleOf } from './schedule.ts'

/** The maximum number of open alarms in a session. */
const maxOpen = 50

/**
 * Sets an alarm for an agent (001-20). Repeating the same call returns the existing alarm. Throws
 * `INVALID_INPUT`, which the model reads as the tool's error.
 */
export async function setAlarm(ctx: Ctx, lease: Lease, callId: string, input: SetAlarm): Promise<AlarmSet> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const { sessionKey, generation } = session
    const [existing] = await tx.sql<AlarmRow[]>`
      select ${alarmColumns(tx.sql)} from alarms
      where session_key = ${sessionKey} and generation = ${generation} and call_id = ${callId}`
    if (existing !== undefined) return receiptOf(existing)
    const { nextAt, repeatMinutes, cron, timeZone } = scheduleOf(input, Date.parse(session.now))
    if ((await alarmSummary(tx, sessionKey)).open >= maxOpen)
      throw invalid(
        `${maxOpen} alarms are already set in this session, which is the limit. Cancel one with cancel-alarm. list-alarms returns their IDs.`
      )
    const [row] = await tx.sql<AlarmRow[]>`
      insert into alarms (id, session_key, generation, call_id, reminder, next_at, repeat_minutes, cron, time_zone, set_at)
      values (${newId('alarm')}, ${sessionKey}, ${generation}, ${callId}, ${input.reminderMessage ?? null}, ${nextAt},
        ${repeatMinutes}, ${cron}, ${timeZone}, clock_timestamp())
      returning ${alarmColumns(tx.sql)}`
    if (row === undefined) throw new Error('An alarm was not stored.')
    await enqueueAlarm(tx, row.id, nextAt)
    await publishAlarms(tx, session)
    return receiptOf(row)
  })
}

/** Enqueues the job that fires the alarm, and replaces an earlier job for it. */
export const enqueueAlarm = (ctx: Pick<Ctx, 'sql'>, alarmId: string, runAt: string): Promise<void> =>
  enqueue(ctx, 'alarm', { alarmId }, { key: `alarm:${alarmId}`, runAt })

/** Reports the session's current alarms to its clients. The caller holds the session's lock. */
export async function publishAlarms(tx: Ctx, session: LockedSession): Promise<void> {
  append(tx, session, [
    { type: 'session', title: session.title, alarms: await alarmSummary(tx, session.sessionKey) }
  ])
}

const receiptOf = ({ id, nextAt, timeZone }: AlarmRow): AlarmSet => ({
  alarmId: id,
  nextAt,
  ...(timeZone === null ? {} : { timeZone })
})
