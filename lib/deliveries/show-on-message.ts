import type { Message } from '@waystation/protocol/session/message.ts'
import type { MessageDelivery } from '@waystation/protocol/session/message-delivery.ts'
import { deliveryOf, withDelivery } from '@waystation/protocol/session/message-parts.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Shows the state of a delivery on its user message, in the stored message and in an event that replaces it. `next`
 * derives it from the previous state. It does nothing for a delivery of anything else. Needs the session's lock.
 */
export async function showOnMessage(
  tx: Ctx,
  session: LockedSession,
  messageId: string | null,
  next: (before: MessageDelivery) => MessageDelivery
): Promise<void> {
  const [row] = await tx.sql<{ message: Message }[]>`
    select message from messages where session_key = ${session.sessionKey} and id = ${messageId}`
  if (row === undefined) return
  const before = deliveryOf(row.message) ?? { state: 'pending' }
  const message = { ...row.message, parts: withDelivery(row.message, next(before)) }
  await tx.sql`
    update messages set message = ${message}::jsonb
    where session_key = ${session.sessionKey} and id = ${messageId}`
  append(tx, session, [{ type: 'message', message }])
}
