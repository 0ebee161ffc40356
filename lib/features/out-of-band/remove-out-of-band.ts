import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobColumns, oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { InOob } from '#lib/protocol/out-of-band/out-of-band.ts'

/** Takes an out-of-band message back that the agent was not told yet; afterwards send another one with `relatedTo`. */
export async function removeOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<{ id: string }> {
  return inTransaction(ctx, async tx => {
    const head = await lockSession(tx, sessionId)
    const [known] = await oobOf(tx, head, [oobId])
    if (known === undefined) throw notFound('out-of-band message', oobId)
    if (tx.actor.kind === 'subject' && (known.source !== 'user' || known.sourceId !== tx.actor.name))
      throw new Refusal(
        'FORBIDDEN',
        'Someone else sent this message. You can remove only messages that you sent.'
      )
    const [taken] = await tx.sql`
      delete from inbox where session_key = ${head.sessionKey} and item_id = ${oobId} and kind = 'oob'
        and consumed_at is null returning id`
    if (taken === undefined && known.status !== 'held') {
      if (known.status === 'cancelled') return { id: oobId }
      throw new Refusal(
        'CONFLICT',
        `This message is already ${known.status}, so it cannot be removed. Send a new message with the correction.`
      )
    }
    const rows = await tx.sql<OobRow[]>`
      update out_of_band set status = 'cancelled', cancelled_at = clock_timestamp()
      where session_key = ${head.sessionKey} and id = ${oobId} returning ${oobColumns(tx.sql)}`
    await append(
      tx,
      head,
      rows.map(row => ({ type: 'oob', message: wireOob(row) }))
    )
    return { id: oobId }
  })
}
