import { change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { endTurn } from '#lib/engine/worker/end-turn.ts'
import { deadAfterSeconds, revoke } from '#lib/engine/worker/lease.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Stops the live turn (docs/concepts/engine.md#cancel). A live owner notices within a second, at its next
 * append or heartbeat, and writes the terminal event. Without a live owner, this transaction writes the event
 * and wakes a worker if anything can start next. Requires the session's lock.
 */
export async function stopTurn(
  ctx: Ctx,
  session: LockedSession,
  outcome: 'cancelled' | 'interrupted'
): Promise<void> {
  if (session.turnId === null) return
  const [owner] = await ctx.sql`
    select from workers where id = ${session.owner} and heartbeat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})`
  if (owner !== undefined) {
    const { turnId } = session
    change(ctx, session, { cancelRequested: turnId })
    ctx.afterCommit(() => ctx.ports.cancel(session.sessionKey, turnId))
    return
  }
  // A dead owner can still run, so the new epoch rejects its writes.
  revoke(ctx, session)
  if (await endTurn(ctx, session, { outcome })) {
    await enqueue(ctx, 'wake', { sessionKey: session.sessionKey }, { key: `wake:${session.sessionKey}` })
  }
}
