import { inTransaction } from '#db/transaction.ts'
import { type Lease, type LockedSession, lockForLease, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { InAlarm } from '#lib/protocol/session/alarm.ts'
import { tellOfAlarms } from './set-alarm.ts'

type Cancelled = { alarmId: string }

/** Cancels an alarm of a session: it does not go off any more. Again is the same answer. */
export const cancelAlarm = (ctx: Ctx, { sessionId, alarmId }: InAlarm): Promise<Cancelled> =>
  inTransaction(ctx, async tx => cancel(tx, await lockSession(tx, sessionId), alarmId))

/** The same, by the session's own agent. */
export const cancelOwnAlarm = (ctx: Ctx, lease: Lease, alarmId: string): Promise<Cancelled> =>
  inTransaction(ctx, async tx => cancel(tx, await lockForLease(tx, lease), alarmId))

async function cancel(tx: Ctx, head: LockedSession, alarmId: string): Promise<Cancelled> {
  const { sessionKey, generation } = head
  const [taken] = await tx.sql`
    update alarms set state = 'cancelled'
    where id = ${alarmId} and session_key = ${sessionKey} and generation = ${generation} and state = 'open' returning id`
  if (taken !== undefined) {
    await tx.sql`select graphile_worker.remove_job(${`alarm:${alarmId}`})`
    await tellOfAlarms(tx, head)
    return { alarmId }
  }
  const [known] = await tx.sql<{ state: string }[]>`
    select state from alarms where id = ${alarmId} and session_key = ${sessionKey} and generation = ${generation}`
  if (known === undefined) throw notFound('alarm', alarmId)
  if (known.state === 'cancelled') return { alarmId }
  throw new Refusal('CONFLICT', 'This alarm has already gone off. Its message is in the conversation.')
}
