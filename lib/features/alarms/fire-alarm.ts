import { inTransaction } from '#db/transaction.ts'
import { atLimit } from '#lib/engine/limits/at-limit.ts'
import { hasOpenLimit } from '#lib/engine/limits/turn-limit.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { alarmPrefix, alarmSender } from '#lib/protocol/session/alarm.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { type AlarmRow, alarmColumns } from './alarm-row.ts'
import { timeAfter } from './schedule.ts'
import { ringAlarm, tellOfAlarms } from './set-alarm.ts'

/**
 * An alarm goes off (001-20), once for each time that it was due: a message in its session, which waits its turn like any.
 * However many times were missed, it goes off once, and next at the first time after now. Come too early, too late or twice, this
 * does nothing.
 *
 * While "continue?" is open, or was refused and nobody has written since, it is held: no budget and no cap is got round by
 * waking up again. And while the message of the time before still waits to be read, that one stands for both.
 */
export async function fireAlarm(ctx: Ctx, { alarmId }: { alarmId: string }): Promise<void> {
  await inTransaction(ctx, async tx => {
    const [due] = await tx.sql<(AlarmRow & { now: string; exactly: string })[]>`
      select ${alarmColumns(tx.sql)}, clock_timestamp() as now, next_at::text as exactly from alarms
      where id = ${alarmId} and state = 'open' and next_at <= clock_timestamp()`
    if (due === undefined) return
    const head = await lockSessionByKey(tx, due.sessionKey)
    if (head === undefined || (await hasOpenLimit(tx, head))) return
    const next = timeAfter(due, Date.parse(due.now))
    const [fired] = await tx.sql<{ waits: boolean }[]>`
      update alarms set fired_at = clock_timestamp(), next_at = coalesce(${next ?? null}::timestamptz, next_at),
        state = ${next === undefined ? 'done' : 'open'}
      where id = ${alarmId} and state = 'open' and next_at = ${due.exactly}::timestamptz and generation = ${head.generation}
      returning exists (
        select from inbox i where i.session_key = alarms.session_key and i.item_id = alarms.item_id and i.consumed_at is null
      ) as waits`
    if (fired === undefined) return
    if (next !== undefined) await ringAlarm(tx, alarmId, next)
    await tellOfAlarms(tx, head)
    if (fired.waits) return
    const { workspaceId, sessionId } = head
    const actor = { kind: 'system', name: alarmSender, workspaceId } as const
    const { itemId } = await sendMessage(
      { ...tx, workspaceId, actor },
      // Without a key: the update above decides, and a key could be somebody's who guesses it.
      { sessionId, text: textOf(due), whenBusy: 'queue' }
    )
    await tx.sql`update alarms set item_id = ${itemId} where id = ${alarmId}`
  })
}

/**
 * The net under the alarms' jobs: rings anew for those that are late by half a minute, also for what was held and is not any
 * more. Under a key of its own: the job for the next time may just have been added, and is not to be replaced.
 */
export async function fireLate(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ id: string }[]>`
    select a.id from alarms a
    where a.state = 'open' and a.next_at < clock_timestamp() - interval '30 seconds'
      and not ${atLimit(ctx, { sessionKey: ctx.sql`a.session_key` })}
    order by a.next_at limit 500`
  for (const { id: alarmId } of late)
    await enqueue(ctx, 'alarm', { alarmId }, { key: `late-alarm:${alarmId}`, inSeconds: 0 })
}

/** It says what it was set for, and when it was due: the agent that reads it may have slept for long. */
const textOf = ({ reminder, nextAt }: AlarmRow): string =>
  `${alarmPrefix} ${reminder ?? 'You set this alarm without a message.'} (due ${nextAt.slice(0, 16)}Z)`
