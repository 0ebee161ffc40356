import { storable } from '#db/client.ts'
import { inTransaction, together } from '#db/transaction.ts'
import { isSigned } from '#lib/deliveries/sign.ts'
import { append } from '#lib/events/append.ts'
import { type Head, lockHead } from '#lib/events/head.ts'
import { keepReceipt, knownReceipt } from '#lib/inbox/receipts.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { invalid, notFound, Refusal } from '#lib/kernel/refusal.ts'
import { addMessage } from '#lib/messages/add-message.ts'
import type { CallbackReceipt } from '#lib/protocol/callback.ts'
import type { Message } from '#lib/protocol/message.ts'
import { Key } from '#lib/protocol/session.ts'
import { type Admitted, unproved } from './admit-callback.ts'
import { appendReply, closeReplies, type Piece, readPiece } from './append-reply.ts'

/**
 * A reply of an external agent (000-16): an assistant's message like any other, in the log once this returns. It needs no
 * turn and no owner (design 3), and is as welcome after three days as after a second. A `key` makes it once; without one
 * every reply is a message. With `Waystation-Message` it is a piece of one that grows while it is read.
 */
export async function receiveCallback(admitted: Admitted, reply: string): Promise<CallbackReceipt> {
  const { places, proof, key, credential } = admitted
  const place = places.find(({ secrets }) => proof === undefined || isSigned(secrets, proof, reply))
  if (place === undefined)
    throw unproved('This signature does not fit: its secret, its time or the body is another.')
  const { ctx, sessionId, generation, agentName } = place
  if (key !== undefined && !Key.safeParse(key).success)
    throw invalid('An idempotency key has 1 to 255 characters.', { key: 'too long, or empty' })
  const said = saidBy(admitted, String(storable(reply)))
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, sessionId)
    if (head.generation !== generation) throw notFound('session of an external agent', sessionId)
    const known = await knownReceipt<CallbackReceipt>(tx, head, 'callback', key, said)
    if (known !== undefined) return known
    const { messageId, begun } =
      'replyId' in said
        ? await appendReply(tx, head, said, agentName)
        : await placeReply(tx, head, said.text, agentName)
    const receipt: CallbackReceipt = { ok: true, messageId }
    await together([
      tx.sql`update sessions set active_at = clock_timestamp() where key = ${head.sessionKey}`,
      keepReceipt(tx, head, 'callback', key, said, receipt),
      begun
        ? tx.sql`
            insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
            values (${head.workspaceId}, ${sessionId}, 'message.injected', ${agentName}, ${credential}, ${messageId},
              clock_timestamp())`
        : undefined
    ])
    return receipt
  })
}

/** What is said: a whole text, without the space at its end, or a piece as it is. */
function saidBy({ message }: Admitted, text: string): Piece | { text: string } {
  if (message !== undefined) return readPiece(message, text)
  if (text.trim() === '') throw new Refusal('EMPTY_MESSAGE', 'The reply is empty. Send its text as the body.')
  return { text: text.trimEnd() }
}

/** A whole reply, behind whatever was being written. */
async function placeReply(
  tx: Ctx,
  head: Head,
  text: string,
  sentBy: string
): Promise<{ messageId: string; begun: true }> {
  await closeReplies(tx, head)
  const message: Message = {
    id: newId('msg'),
    role: 'assistant',
    metadata: { createdAt: new Date().toISOString(), sentBy },
    parts: [{ type: 'text', text, state: 'done' }]
  }
  await together([
    append(tx, head, [{ type: 'message', message }]),
    addMessage(tx, head, message, head.seq, { done: true }),
    tx.sql`update sessions set snippet = ${text.trim().slice(0, 160)} where key = ${head.sessionKey}`
  ])
  return { messageId: message.id, begun: true }
}
