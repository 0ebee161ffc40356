import { inTransaction } from '#db/transaction.ts'
import { callsOfMessage } from '#lib/engine/calls/read-calls.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { scheduleIfRunnable } from '#lib/engine/inbox/schedule-if-runnable.ts'
import { type Bill, chargeBill } from '#lib/engine/limits/charge-bill.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TurnError } from '#lib/protocol/session/event.ts'
import type { Notice } from '#lib/protocol/session/message.ts'
import { dropStep } from './close-message.ts'
import { release } from './lease.ts'

/**
 * A turn whose model call failed in a way that passes: it stays on the head (the session is busy), says when it will
 * try again, and nothing is held in memory meanwhile. The retry job, or "Retry now", puts the item that goes on. `bill`: what the
 * failed try took; it is charged only where the wait begins.
 */
export async function waitForRetry(
  ctx: Ctx,
  lease: Lease,
  error: TurnError,
  seconds: number,
  bill?: Bill
): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    const turnId = head.turnId
    if (turnId === null) return true
    if (head.cancelRequested === turnId) return false
    if (bill !== undefined) await chargeBill(tx, head, bill)
    const [turn] = await tx.sql<{ messageId: string | null; retryAt: string; live: boolean }[]>`
      update turns set attempt = attempt + 1, begun = committed, error = ${error}::jsonb,
        retry_at = clock_timestamp() + make_interval(secs => ${seconds})
      where id = ${turnId} returning message_id, retry_at,
        (select t.begun > t.committed from turns t where t.id = turns.id) as live`
    if (turn === undefined) return true
    const { retryAt } = turn
    if (turn.messageId !== null) {
      const notice: Notice = { kind: 'failed', ...error, retryAt, turnId }
      await append(tx, head, dropStep(turn.messageId, turnId, notice, turn.live))
      await refold(tx, head, turn.messageId, await callsOfMessage(tx, head.sessionKey, turn.messageId))
    }
    await append(tx, head, [{ type: 'status', status: 'failed', turnId, error, retryAt }])
    await release(tx, head)
    await tx.sql`
      update sessions set status = 'failed', error = ${error}::jsonb, retry_at = ${retryAt}::timestamptz
      where key = ${head.sessionKey}`
    await enqueue(
      tx,
      'retry',
      { sessionKey: head.sessionKey, turnId },
      { key: `retry:${turnId}`, runAt: retryAt }
    )
    await lookAgain(tx, head)
    return true
  })
}

/** Lets go of a session whose turn still waits for its retry, after something else was done for it. */
export async function releaseWaiting(ctx: Ctx, lease: Lease): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    const head = await lockForLease(tx, lease)
    if (head.cancelRequested !== null && head.cancelRequested === head.turnId) return false
    await release(tx, head)
    await tx.sql`update sessions set status = 'failed' where key = ${head.sessionKey}`
    await lookAgain(tx, head)
    return true
  })
}

/** Schedules input that came in while this worker owned the session: it had no wake-up (docs/concepts/engine.md#release). */
const lookAgain = (tx: Ctx, head: LockedSession) => {
  head.status = 'failed'
  return scheduleIfRunnable(tx, head)
}
