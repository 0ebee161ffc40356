import { inTransaction } from '#db/transaction.ts'
import { oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import { stopTurn } from '#lib/engine/worker/stop-turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { InOob, OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import { deliverOutOfBand } from './deliver-out-of-band.ts'
import { markApproved } from './mark-approved.ts'

/**
 * Lets in what the session's policy held (004-14): from now on it is like any other. A second yes changes
 * nothing; what was taken back or has expired meanwhile is a conflict.
 */
export async function approveOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<OutOfBand> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    const [known] = await oobOf(tx, head, [oobId])
    if (known === undefined) throw notFound('out-of-band message', oobId)
    if (known.status !== 'held') {
      if (known.approvedBy !== null) return wireOob(known)
      throw new Refusal(
        'CONFLICT',
        `This message is already ${known.status}, so there is nothing to approve.`
      )
    }
    const row = await markApproved(tx, head, oobId)
    await append(tx, head, [{ type: 'oob', message: wireOob(row) }])
    const brought = await deliverOutOfBand(tx, head, row)
    if (row.metadata.action === 'abort') await stopTurn(tx, head, 'cancelled')
    return brought
  })
}
