import { inTransaction } from '#db/transaction.ts'
import { type Lease, LeaseLost, lockOwned } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'

/** Gives a session back whose turn broke, and rings for it a second later: a live owner is never reaped. */
export async function letGo(ctx: Ctx, lease: Lease): Promise<void> {
  await inTransaction(ctx, async tx => {
    await lockOwned(tx, lease)
    await tx.sql`
      update heads set owner = null, epoch = epoch + 1, owed = 1 where session_key = ${lease.sessionKey}`
    await enqueue(tx, 'wake', { sessionKey: lease.sessionKey }, { inSeconds: 1 })
  }).catch(error => {
    if (!(error instanceof LeaseLost))
      log(
        'error',
        'A session could not be released. Another worker can take it only after this worker stops.',
        { error }
      )
  })
}
