import type { TurnError } from '@waystation/protocol/session/event.ts'
import type { Notice } from '@waystation/protocol/session/message.ts'
import { inTransaction } from '#db/transaction.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { scheduleIfRunnable } from '#lib/engine/inbox/schedule-if-runnable.ts'
import { append, change } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { RowChanges } from '#lib/engine/log/unsaved.ts'
import { type Bill, chargeBill } from '#lib/engine/worker/limits/charge.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { dropStep } from './close-message.ts'
import { release } from './lease.ts'

/**
 * Makes a turn wait for its retry after a temporary model error. The turn stays live, so the session is busy,
 * but the worker releases it. The retry job, or "Retry now", puts the item that continues the turn. Returns
 * false if the turn was canceled, so the caller must end it. Throws `LeaseLost`.
 *
 * @param bill cost of the failed attempt, charged only if the turn waits
 */
export async function waitForRetry(
  ctx: Ctx,
  lease: Lease,
  error: TurnError,
  seconds: number,
  bill?: Bill
): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const { sessionKey, turnId } = session
    if (turnId === null) return true
    if (session.cancelRequested === turnId) return false
    if (bill !== undefined) await chargeBill(tx, session, bill)
    const [turn] = await tx.sql<{ messageId: string | null; retryAt: string; live: boolean }[]>`
      update turns set attempt = attempt + 1, begun = committed, error = ${error}::jsonb,
        retry_at = clock_timestamp() + make_interval(secs => ${seconds})
      where id = ${turnId} returning message_id, retry_at,
        (select t.begun > t.committed from turns t where t.id = turns.id) as live`
    if (turn === undefined) return true
    const { retryAt } = turn
    if (turn.messageId !== null) {
      const notice: Notice = { kind: 'failed', ...error, retryAt, turnId }
      append(tx, session, dropStep(turn.messageId, turnId, notice, turn.live))
      await refold(tx, session, turn.messageId)
    }
    append(tx, session, [{ type: 'status', status: 'failed', turnId, error, retryAt }])
    await enqueue(tx, 'retry', { sessionKey, turnId }, { key: `retry:${turnId}`, runAt: retryAt })
    await releaseFailed(tx, session, { error, retryAt })
    return true
  })
}

/**
 * Releases a session whose turn is still waiting for its retry, after other work was done for it. Returns
 * false if the turn was canceled, so the caller must end it.
 */
export async function releaseWaiting(ctx: Ctx, lease: Lease): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    if (session.cancelRequested !== null && session.cancelRequested === session.turnId) return false
    await releaseFailed(tx, session)
    return true
  })
}

/**
 * Releases a session that waits for a retry. Schedules input that arrived while this worker owned the session,
 * because it caused no wake-up (docs/concepts/engine.md#release).
 */
async function releaseFailed(tx: Ctx, session: LockedSession, changes: RowChanges = {}): Promise<void> {
  release(tx, session)
  change(tx, session, { status: 'failed', ...changes })
  await scheduleIfRunnable(tx, session)
}
