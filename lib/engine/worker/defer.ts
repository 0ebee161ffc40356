import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Defers the session's open calls: the model continues without their results and receives each one when it
 * arrives.
 */
export async function deferOpenCalls(
  tx: Ctx,
  { sessionKey }: Pick<LockedSession, 'sessionKey'>
): Promise<void> {
  await tx.sql`
    update calls set deferred_at = clock_timestamp()
    where session_key = ${sessionKey} and result is null and deferred_at is null and context_id is not null`
}
