import { notFound } from '@waystation/base/api-error.ts'
import type { ResendMessage, Resent } from '@waystation/protocol/external-agent/delivery.ts'
import { inTransaction } from '#db/transaction.ts'
import { lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redeliver } from './redeliver.ts'

/**
 * Sends a message again that its external agent did not receive (000-19). Every sender in the session can call it, even
 * end users, because the answer reveals nothing about the agent. A pending or delivered message does not change. Throws
 * `NOT_FOUND` if the message has no delivery, and `CONFLICT` if it belongs to a sub-agent's task that has ended.
 */
export async function resendMessage(ctx: Ctx, { sessionId, messageId }: ResendMessage): Promise<Resent> {
  return inTransaction(ctx, async tx => {
    const { sessionKey } = await lockSession(tx, sessionId)
    const [row] = await tx.sql<{ id: string; state: Resent['state'] | 'withdrawn' }[]>`
      select id, state from deliveries
      where session_key = ${sessionKey} and kind = 'message' and message_id = ${messageId}`
    if (row === undefined) throw notFound('message to an external agent', messageId)
    if (row.state === 'pending' || row.state === 'delivered') return { messageId, state: row.state }
    await redeliver(tx, { sessionId, deliveryId: row.id })
    return { messageId, state: 'pending' }
  })
}
