import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { deadAfterSeconds } from './worker-row.ts'

/** A session taken by a worker. `claims`: an owner before it left calls claimed and without a result. */
export type Taken = Lease & { claims: boolean }

/** How a session is taken: by the wake job, or inside the transaction that puts something in. */
type How = 'woken' | 'adopted'

/**
 * Takes a session for this worker, if it is owed and nobody alive has it: one call of `take_session` (0002 of the
 * migrations), which locks first and judges in a second statement. A bare conditional UPDATE judges a stale row (63 of
 * 4,364 wake-ups were lost that way). A worker that was declared dead meanwhile takes nothing. Undefined: a live owner
 * has it and will look again before it lets go, or there is nothing to do.
 *
 * What a wake takes is not waited for until it is on disk: the model is asked and tools are run only after a commit of
 * their own, and that flush carries this one. If Postgres dies before it, the session is as if it had not been taken;
 * whoever has it next may get the same epoch, which is why a lease is an owner and an epoch.
 */
export async function takeSession(
  ctx: Ctx,
  sessionKey: number,
  workerId: string,
  format: number,
  how: How = 'woken'
): Promise<Taken | undefined> {
  const [taken] = await ctx.sql<{ epoch: number; claims: boolean }[]>`
    select epoch, claims
    from take_session(${sessionKey}, ${workerId}, ${format}, ${deadAfterSeconds}, ${how === 'adopted'})`
  return taken === undefined ? undefined : { sessionKey, epoch: taken.epoch, workerId, claims: taken.claims }
}
