import { inTransaction, together } from '#db/transaction.ts'
import { absenceOf, lockHead } from '#lib/events/head.ts'
import { keepReceipt, knownReceipt, sameReceipt } from '#lib/inbox/receipts.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { newId } from '#lib/kernel/ids.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { CallbackReceipt } from '#lib/protocol/callback.ts'
import type { Message } from '#lib/protocol/message.ts'
import type { Admitted } from './admit-callback.ts'
import { appendReply, closeReplies, type Piece } from './append-reply.ts'
import type { Place } from './callback-places.ts'

type Proved = Pick<Admitted, 'key' | 'credential'>

/**
 * A whole reply, behind whatever was being written. Its text has no space at its end. Undefined: what it was admitted by has
 * changed meanwhile; nothing was done.
 */
export async function receiveWhole(
  place: Place,
  { key, credential }: Proved,
  text: string
): Promise<CallbackReceipt | undefined> {
  const { ctx, sessionKey, sessionId, generation, agentName, stamp } = place
  const message: Message = {
    id: newId('msg'),
    role: 'assistant',
    metadata: { createdAt: new Date().toISOString(), sentBy: agentName },
    parts: [{ type: 'text', text, state: 'done' }]
  }
  const receipt: CallbackReceipt = { ok: true, messageId: message.id }
  const said = { text }
  const once = key === undefined ? {} : { key, digest: digestOf(said) }
  const reply = { sessionKey, generation, stamp, ...once, receipt, message, text, agentName, credential }
  for (;;) {
    const placed = await ctx.ports.replies.place(reply)
    if (placed.outcome === 'placed') return receipt
    if (placed.outcome === 'stale') return undefined
    if (placed.outcome === 'known') return sameReceipt(placed, said)
    if (placed.outcome === 'gone') throw await absenceOf(ctx, sessionId, 'external session')
    await inTransaction(ctx, async tx => closeReplies(tx, await lockHead(tx, sessionId)))
  }
}

/** A piece of a reply that grows while it is read. */
export async function receivePiece(
  place: Place,
  { key, credential }: Proved,
  piece: Piece
): Promise<CallbackReceipt> {
  const { ctx, sessionId, generation, agentName } = place
  return inTransaction(ctx, async tx => {
    const head = await lockHead(tx, sessionId)
    if (head.generation !== generation) throw notFound('external session', sessionId)
    const known = await knownReceipt<CallbackReceipt>(tx, head, 'callback', key, piece)
    if (known !== undefined) return known
    const { messageId, begun } = await appendReply(tx, head, piece, agentName)
    const receipt: CallbackReceipt = { ok: true, messageId }
    await together([
      tx.sql`update sessions set active_at = clock_timestamp() where key = ${head.sessionKey}`,
      keepReceipt(tx, head, 'callback', key, piece, receipt),
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
