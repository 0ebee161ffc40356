import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InOob, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { stopTurn } from '#lib/sessions/stop-turn.ts'
import { deliverOutOfBand } from './deliver-out-of-band.ts'
import { markApproved } from './mark-approved.ts'
import { withdrawReplaced } from './withdraw.ts'

/**
 * Approves a message that the session's policy holds (004-14), and delivers it. A second approval changes
 * nothing. Throws `CONFLICT` if the message was removed or has expired.
 */
export async function approveOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<OutOfBand> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [existing] = await oobOf(tx, session, [oobId])
    if (existing === undefined) throw notFound('out-of-band message', oobId)
    if (!isHeld(existing, session)) {
      if (existing.approvedBy !== null) return wireOob(existing)
      throw new ApiError('CONFLICT', closedWords(existing))
    }
    await withdrawReplaced(tx, session, existing)
    const row = await markApproved(tx, session, oobId)
    append(tx, session, [{ type: 'oob', message: wireOob(row) }])
    const delivered = await deliverOutOfBand(tx, session, row)
    if (row.metadata.action === 'abort') await stopTurn(tx, session, 'cancelled')
    return delivered
  })
}

/** True if the message still waits for approval. */
export const isHeld = (
  { status, expiresAt }: Pick<OobRow, 'status' | 'expiresAt'>,
  { now }: Pick<LockedSession, 'now'>
): boolean => status === 'held' && (expiresAt === null || Date.parse(expiresAt) > Date.parse(now))

const closedWords = ({ status, cancelledBy }: OobRow): string => {
  if (status === 'cancelled')
    return `${cancelledBy ?? 'Another user'} has already removed this message. To deliver it, send it again.`
  // The job that expires it can be late.
  if (status === 'expired' || status === 'held')
    return 'This message has expired. To deliver it, send it again.'
  return `This message is already ${status}, so there is nothing to approve.`
}
