import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { ResendMessage, Resent } from '#lib/protocol/external-agent/delivery.ts'
import { redeliver } from './redeliver.ts'

/**
 * Sends a message again that its external agent did not take (000-19), for everyone who may send in the session, end users
 * too: the answer holds nothing of the other system. One that is being sent, or was delivered, stays as it is. A message that was
 * sent to no external agent: `404`.
 */
export async function resendMessage(ctx: Ctx, { sessionId, messageId }: ResendMessage): Promise<Resent> {
  return inTransaction(ctx, async tx => {
    const { sessionKey } = await lockSession(tx, sessionId)
    const [row] = await tx.sql<{ id: string; state: Resent['state'] }[]>`
      select id, state from deliveries
      where session_key = ${sessionKey} and kind = 'message' and message_id = ${messageId}`
    if (row === undefined) throw notFound('message to an external agent', messageId)
    if (row.state !== 'failed') return { messageId, state: row.state }
    await redeliver(tx, { sessionId, deliveryId: row.id })
    return { messageId, state: 'pending' }
  })
}
