import { notFound } from '@waystation/base/api-error.ts'
import type { InOob, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { approveOutOfBand, isHeld } from './approve-out-of-band.ts'
import { removeOutOfBand } from './remove-out-of-band.ts'

/**
 * Approves or removes a message through an answer link. Only a held message changes: if another user was
 * first, `decided` is false, and `message` shows what they decided.
 */
export async function decideHeld(
  ctx: Ctx,
  { sessionId, oobId, approved }: InOob & { approved: boolean }
): Promise<{ message: OutOfBand; decided: boolean }> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [before] = await oobOf(tx, session, [oobId])
    if (before === undefined) throw notFound('out-of-band message', oobId)
    if (!isHeld(before, session)) return { message: wireOob(before), decided: false }
    await (approved ? approveOutOfBand : removeOutOfBand)(tx, { sessionId, oobId })
    const [row = before] = await oobOf(tx, session, [oobId])
    return { message: wireOob(row), decided: true }
  })
}
