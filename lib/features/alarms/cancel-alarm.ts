import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InAlarm } from '@waystation/protocol/session/alarm.ts'
import { inTransaction } from '#db/transaction.ts'
import { type Lease, type LockedSession, lockForLease, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { publishAlarms } from './set-alarm.ts'

type Cancelled = { alarmId: string }

/**
 * Cancels an open alarm of a session. Idempotent: an alarm that is already cancelled gives the same result.
 * Throws `NOT_FOUND`, or `CONFLICT` if the alarm has gone off for the last time.
 */
export const cancelAlarm = (ctx: Ctx, { sessionId, alarmId }: InAlarm): Promise<Cancelled> =>
  inTransaction(ctx, async tx => cancel(tx, await lockSession(tx, sessionId), alarmId))

/** Does the same as `cancelAlarm` for the session's own agent, under its lease. */
export const cancelOwnAlarm = (ctx: Ctx, lease: Lease, alarmId: string): Promise<Cancelled> =>
  inTransaction(ctx, async tx => cancel(tx, await lockForLease(tx, lease), alarmId))

async function cancel(tx: Ctx, session: LockedSession, alarmId: string): Promise<Cancelled> {
  const { sessionKey, generation } = session
  const [cancelled] = await tx.sql`
    update alarms set state = 'cancelled'
    where id = ${alarmId} and session_key = ${sessionKey} and generation = ${generation} and state = 'open' returning id`
  if (cancelled !== undefined) {
    await tx.sql`select graphile_worker.remove_job(${`alarm:${alarmId}`})`
    await publishAlarms(tx, session)
    return { alarmId }
  }
  const [existing] = await tx.sql<{ state: string }[]>`
    select state from alarms where id = ${alarmId} and session_key = ${sessionKey} and generation = ${generation}`
  if (existing === undefined) throw notFound('alarm', alarmId)
  if (existing.state === 'cancelled') return { alarmId }
  throw new ApiError('CONFLICT', 'This alarm has already gone off. Its message is in the conversation.')
}
