import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import type { AlarmSet, SetAlarm } from '#lib/protocol/session/alarm.ts'
import { type AlarmRow, alarmColumns, alarmNews } from './alarm-row.ts'
import { scheduleOf } from './schedule.ts'

/** Open alarms of one session. */
const mostOpen = 50

/**
 * An agent sets itself an alarm (001-20), by its tool; the same call again sets no other one. What cannot be is the tool's
 * error, which the model reads.
 */
export async function setAlarm(ctx: Ctx, lease: Lease, callId: string, asked: SetAlarm): Promise<AlarmSet> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const { sessionKey, generation } = head
    const [known] = await tx.sql<AlarmRow[]>`
      select ${alarmColumns(tx.sql)} from alarms
      where session_key = ${sessionKey} and generation = ${generation} and call_id = ${callId}`
    if (known !== undefined) return receiptOf(known)
    const { nextAt, repeatMinutes, cron, timeZone } = scheduleOf(asked, Date.parse(head.now))
    if ((await alarmNews(tx, sessionKey)).open >= mostOpen)
      throw invalid(
        `${mostOpen} alarms are already set in this session, which is the limit. Cancel one with cancel-alarm. list-alarms returns their IDs.`
      )
    const [row] = await tx.sql<AlarmRow[]>`
      insert into alarms (id, session_key, generation, call_id, reminder, next_at, repeat_minutes, cron, time_zone, set_at)
      values (${newId('alarm')}, ${sessionKey}, ${generation}, ${callId}, ${asked.reminderMessage ?? null}, ${nextAt},
        ${repeatMinutes}, ${cron}, ${timeZone}, clock_timestamp())
      returning ${alarmColumns(tx.sql)}`
    if (row === undefined) throw new Error('An alarm was not stored.')
    await ringAlarm(tx, row.id, nextAt)
    await tellOfAlarms(tx, head)
    return receiptOf(row)
  })
}

/** Has an alarm looked at when it is due. */
export const ringAlarm = (ctx: Pick<Ctx, 'sql'>, alarmId: string, runAt: string): Promise<void> =>
  enqueue(ctx, 'alarm', { alarmId }, { key: `alarm:${alarmId}`, runAt })

/** Tells whoever follows the session that its alarms are others now. The head is locked. */
export async function tellOfAlarms(tx: Ctx, head: LockedSession): Promise<void> {
  await append(tx, head, [
    { type: 'session', title: head.title, alarms: await alarmNews(tx, head.sessionKey) }
  ])
}

const receiptOf = ({ id, nextAt, timeZone }: AlarmRow): AlarmSet => ({
  alarmId: id,
  nextAt,
  ...(timeZone === null ? {} : { timeZone })
})
