import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { Answerer } from '@waystation/protocol/call/answerers.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { pipelined } from '#db/transaction.ts'
import { placeMessage } from '#lib/engine/context/add-message.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import type { WaitingItem } from '#lib/engine/inbox/drain.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A user message as it is stored. */
export type StoredMessage = {
  id: string
  message: Message
  /** The sender, as `addMessage` stores it. */
  sender: (Answerer & Identity & { also?: Identity[] }) | null
  /** True if the sender is already an author of the session. */
  isAuthor: boolean
}

/** Returns the stored messages that wait in the inbox. */
export const waitingMessages = async (tx: Ctx, sessionKey: number): Promise<StoredMessage[]> =>
  tx.sql<StoredMessage[]>`
    select m.id, m.message, m.sender, exists (
      select from session_authors a where a.session_key = m.session_key and a.id = m.sender ->> 'id') as is_author
    from inbox i join messages m on m.session_key = i.session_key and m.id = i.message_id
    where i.session_key = ${sessionKey} and i.consumed_at is null and i.kind = 'message'`

/** Returns the messages of these items in order, as the agent reads them, without their `queued` mark. */
export const placed = (
  items: readonly WaitingItem[],
  stored: readonly StoredMessage[],
  now: string
): Placed[] =>
  items.flatMap(({ messageId }) => {
    const row = stored.find(({ id }) => id === messageId)
    if (row === undefined) return []
    const { queued, ...metadata } = row.message.metadata ?? { createdAt: now }
    return [{ ...row, message: { ...row.message, metadata }, wasQueued: queued !== undefined }]
  })

type Placed = StoredMessage & { wasQueued: boolean }

/**
 * Shows the messages that the agent reads now, and adds their authors to the session. A queued message moves
 * to the end of the transcript. Requires the session's lock.
 */
export function placeMessages(tx: Ctx, session: LockedSession, messages: readonly Placed[]): void {
  const authors: Identity[] = []
  const moves: Promise<unknown>[] = []
  for (const { message, sender, isAuthor, wasQueued } of messages) {
    if (wasQueued) {
      const seq = append(tx, session, [{ type: 'message', message, placed: true }])
      moves.push(placeMessage(tx, session, message, seq))
    }
    if (sender !== null && !isAuthor) authors.push(sender)
    authors.push(...(sender?.also ?? []))
  }
  tx.beforeCommit(pipelined([...moves, addAuthors(tx, session.sessionKey, authors)]))
}
