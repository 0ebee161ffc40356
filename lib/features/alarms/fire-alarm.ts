import { alarmSender, alarmText } from '@waystation/protocol/session/alarm-message.ts'
import { inTransaction } from '#db/transaction.ts'
import { atLimit } from '#lib/engine/inbox/at-limit.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { hasOpenLimit } from '#lib/engine/worker/limits/turn-limit.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { type AlarmRow, alarmColumns } from './alarm-row.ts'
import { timeAfter } from './schedule.ts'
import { enqueueAlarm, publishAlarms } from './set-alarm.ts'

/**
 * Sends the message of an alarm that is due to its session (001-20). The message waits in the inbox like any
 * other. Missed times share one message, and the next time is the first one after now. If the job runs too
 * early, too late or twice, it does nothing.
 *
 * While "continue?" is open, or was declined and no user has written since, the alarm is held: otherwise an
 * alarm could bypass budgets and caps. If the previous message is still unread, no second one is sent.
 */
export async function fireAlarm(ctx: Ctx, { alarmId }: { alarmId: string }): Promise<void> {
  await inTransaction(ctx, async tx => {
    const [due] = await tx.sql<(AlarmRow & { now: string; exactly: string })[]>`
      select ${alarmColumns(tx.sql)}, clock_timestamp() as now, next_at::text as exactly from alarms
      where id = ${alarmId} and state = 'open' and next_at <= clock_timestamp()`
    if (due === undefined) return
    const session = await lockSessionByKey(tx, due.sessionKey)
    if (session === undefined || (await hasOpenLimit(tx, session))) return
    const next = timeAfter(due, Date.parse(due.now))
    const [fired] = await tx.sql<{ waits: boolean }[]>`
      update alarms set fired_at = clock_timestamp(), next_at = coalesce(${next ?? null}::timestamptz, next_at),
        state = ${next === undefined ? 'done' : 'open'}
      where id = ${alarmId} and state = 'open' and next_at = ${due.exactly}::timestamptz and generation = ${session.generation}
      returning exists (
        select from inbox i where i.session_key = alarms.session_key and i.item_id = alarms.item_id and i.consumed_at is null
      ) as waits`
    if (fired === undefined) return
    if (next !== undefined) await enqueueAlarm(tx, alarmId, next)
    await publishAlarms(tx, session)
    if (fired.waits) return
    const { workspaceId, sessionId } = session
    const actor = { kind: 'system', name: alarmSender, workspaceId } as const
    const { itemId } = await sendMessage(
      { ...tx, workspaceId, actor },
      // The message has no idempotency key: the update above prevents duplicates, and a client could guess a key.
      { sessionId, text: alarmText(due.reminder, due.nextAt), whenBusy: 'queue' }
    )
    await tx.sql`update alarms set item_id = ${itemId} where id = ${alarmId}`
  })
}

/**
 * Enqueues alarms that are more than 30 seconds overdue, in case their job was lost or the alarm was held.
 * The job has its own key, so that it does not replace the job for the alarm's next time.
 */
export async function enqueueOverdueAlarms(ctx: Ctx): Promise<void> {
  const overdue = await ctx.sql<{ id: string }[]>`
    select a.id from alarms a
    where a.state = 'open' and a.next_at < clock_timestamp() - interval '30 seconds'
      and not ${atLimit(ctx, { sessionKey: ctx.sql`a.session_key` })}
    order by a.next_at limit 500`
  for (const { id: alarmId } of overdue)
    await enqueue(ctx, 'alarm', { alarmId }, { key: `late-alarm:${alarmId}`, inSeconds: 0 })
}
