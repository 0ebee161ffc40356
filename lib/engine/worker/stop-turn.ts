import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { endTurn } from './end-turn.ts'
import { deadAfterSeconds, revoke } from './lease.ts'

/**
 * Asks the live turn to stop, under the head's lock (docs/concepts/engine.md#cancel). With a live owner: it learns by its next
 * append or beat, at the latest within a second, and writes the one terminal event. Without one, this
 * transaction writes it, and what can start next is owed to a worker.
 */
export async function stopTurn(
  ctx: Ctx,
  head: LockedSession,
  outcome: 'cancelled' | 'interrupted'
): Promise<void> {
  if (head.turnId === null) return
  const [owner] = await ctx.sql`
    select from workers where id = ${head.owner} and heartbeat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})`
  if (owner !== undefined) {
    await ctx.sql`update heads set cancel_requested = ${head.turnId} where session_key = ${head.sessionKey}`
    const turnId = head.turnId
    ctx.afterCommit(() => ctx.ports.cancel(head.sessionKey, turnId))
    return
  }
  // A dead owner may still believe it is alive: the new epoch fences it.
  await revoke(ctx, head)
  if (await endTurn(ctx, head, { outcome })) {
    await enqueue(ctx, 'wake', { sessionKey: head.sessionKey }, { key: `wake:${head.sessionKey}` })
  }
}
