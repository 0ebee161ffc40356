import { iso } from '#db/client.ts'
import { append } from '#lib/events/append.ts'
import type { Head } from '#lib/events/head.ts'
import type { WaitingItem } from '#lib/inbox/drain.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { placeMessage } from '#lib/messages/add-message.ts'
import type { Answerer } from '#lib/protocol/answerers.ts'
import type { Message } from '#lib/protocol/message.ts'

type Stored = { id: string; message: Message; sender: Answerer | null }

/** The messages that these items brought, as they are stored. */
export const messagesOf = async (tx: Ctx, head: Head, items: readonly WaitingItem[]): Promise<Stored[]> =>
  items.length === 0
    ? []
    : tx.sql<Stored[]>`
        select id, message, sender from messages
        where session_key = ${head.sessionKey} and id = any(${items.map(item => item.messageId ?? '')})`

/** Shows the messages whose time has come: a queued one moves to its place, and is queued no more. */
export async function placeMessages(
  tx: Ctx,
  head: Head,
  items: readonly WaitingItem[],
  known?: readonly Stored[]
): Promise<Message[]> {
  const stored = known ?? (await messagesOf(tx, head, items))
  const placed: Message[] = []
  for (const { messageId } of items) {
    const row = stored.find(({ id }) => id === messageId)
    if (row === undefined) continue
    const { queued, ...metadata } = row.message.metadata ?? { createdAt: iso(head.now) }
    const message = { ...row.message, metadata }
    if (queued !== undefined) {
      const seq = await append(tx, head, [{ type: 'message', message, placed: true }])
      await placeMessage(tx, head, message, seq)
    }
    placed.push(message)
  }
  return placed
}
