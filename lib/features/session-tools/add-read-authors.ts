import { inTransaction } from '#db/transaction.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { copyAuthors } from '#lib/sessions/copy-authors.ts'

/**
 * Makes the authors and the agents of other sessions authors of the agent's own session, because it receives their
 * text. A user must then agree before the agent uses the user's own accounts.
 */
export async function addReadAuthors(ctx: Ctx, lease: Lease, read: readonly number[]): Promise<void> {
  const others = read.filter(key => key !== lease.sessionKey)
  if (others.length === 0) return
  await inTransaction(ctx, async tx => {
    const { sessionKey } = await lockForLease(tx, lease)
    await copyAuthors(tx, { from: others, to: sessionKey })
    await addAuthors(
      tx,
      sessionKey,
      others.map(key => ({ id: `session:${key}`, name: 'another agent' }))
    )
  })
}
