import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InOob, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { stopTurn } from '#lib/sessions/stop-turn.ts'
import { deliverOutOfBand } from './deliver-out-of-band.ts'
import { markApproved } from './mark-approved.ts'

/**
 * Approves a message that the session's policy holds (004-14), and delivers it. A second approval changes
 * nothing. Throws `CONFLICT` if the message was removed or has expired.
 */
export async function approveOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<OutOfBand> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [existing] = await oobOf(tx, session, [oobId])
    if (existing === undefined) throw notFound('out-of-band message', oobId)
    if (existing.status !== 'held') {
      if (existing.approvedBy !== null) return wireOob(existing)
      throw new ApiError(
        'CONFLICT',
        `This message is already ${existing.status}, so there is nothing to approve.`
      )
    }
    const row = await markApproved(tx, session, oobId)
    append(tx, session, [{ type: 'oob', message: wireOob(row) }])
    const delivered = await deliverOutOfBand(tx, session, row)
    if (row.metadata.action === 'abort') await stopTurn(tx, session, 'cancelled')
    return delivered
  })
}
