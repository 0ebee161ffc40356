import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { oobOf } from '#lib/engine/inbox/out-of-band-row.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { withdraw } from './withdraw.ts'

/**
 * Removes an out-of-band message that the agent has not received. Throws `CONFLICT` if it is too late, and
 * `FORBIDDEN` if an end user did not send it.
 */
export async function removeOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<{ id: string }> {
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const [existing] = await oobOf(tx, session, [oobId])
    if (existing === undefined) throw notFound('out-of-band message', oobId)
    if (tx.actor.kind === 'subject' && (existing.source !== 'user' || existing.sourceId !== tx.actor.name))
      throw new ApiError(
        'FORBIDDEN',
        'Someone else sent this message. You can remove only messages that you sent.'
      )
    if (existing.status === 'cancelled' || (await withdraw(tx, session, existing))) return { id: oobId }
    throw new ApiError(
      'CONFLICT',
      `This message is already ${existing.status}, so it cannot be removed. Send a new message with the correction.`
    )
  })
}
