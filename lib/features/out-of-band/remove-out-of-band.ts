import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { InOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobColumns, oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'

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
    const [removed] = await tx.sql`
      delete from inbox where session_key = ${session.sessionKey} and item_id = ${oobId} and kind = 'oob'
        and consumed_at is null returning id`
    if (removed === undefined && existing.status !== 'held') {
      if (existing.status === 'cancelled') return { id: oobId }
      throw new ApiError(
        'CONFLICT',
        `This message is already ${existing.status}, so it cannot be removed. Send a new message with the correction.`
      )
    }
    const rows = await tx.sql<OobRow[]>`
      update out_of_band set status = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = ${tx.actor.name}
      where session_key = ${session.sessionKey} and id = ${oobId} returning ${oobColumns(tx.sql)}`
    const messages = rows.map(wireOob)
    append(
      tx,
      session,
      messages.map(message => ({ type: 'oob', message }))
    )
    tx.afterCommit(() => observer().outOfBand('cancelled', messages))
    return { id: oobId }
  })
}
