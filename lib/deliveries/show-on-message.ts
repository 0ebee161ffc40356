import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type Message, withDelivery } from '#lib/protocol/session/message.ts'
import type { MessageDelivery } from '#lib/protocol/session/message-delivery.ts'

/**
 * Shows on a person's message how its delivery stands, to everyone in the session: in the stored message, and as an event that
 * replaces it. Of an out-of-band message there is none. The head is locked.
 */
export async function showOnMessage(
  tx: Ctx,
  head: LockedSession,
  messageId: string | null,
  delivery: MessageDelivery
): Promise<void> {
  const [row] = await tx.sql<{ message: Message }[]>`
    select message from messages where session_key = ${head.sessionKey} and id = ${messageId}`
  if (row === undefined) return
  const message = { ...row.message, parts: withDelivery(row.message, delivery) }
  await tx.sql`
    update messages set message = ${message}::jsonb
    where session_key = ${head.sessionKey} and id = ${messageId}`
  await append(tx, head, [{ type: 'message', message }])
}
