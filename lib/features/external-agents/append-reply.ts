import { together } from '#db/transaction.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { keepReceipt, knownReceipt } from '#lib/engine/inbox/receipts.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { type Message, textOf } from '#lib/protocol/session/message.ts'

/** A reply comes in at most this many pieces of at most so many bytes. */
const most = { pieces: 2000, bytes: 64 * 1024 }

/** The one text of a reply that comes in pieces. */
const part = 'text'

/** A piece of a reply: which one, by its sender's own name for it, and whether it is the last. */
export type Piece = { replyId: string; done: boolean; text: string }

/** Reads `Waystation-Message`: `<id>`, or `<id>; done` with the last piece. */
export function readPiece(header: string, text: string): Piece {
  const [, replyId, done] = /^([A-Za-z0-9_-]{1,64})\s*(;\s*done)?$/.exec(header.trim()) ?? []
  if (replyId === undefined)
    throw invalid(
      'The header Waystation-Message must be an ID of 1 to 64 letters, digits, - and _. Append "; done" for the last piece.'
    )
  if (Buffer.byteLength(text) > most.bytes)
    throw new Refusal(
      'TOO_LARGE',
      `A piece can be up to ${most.bytes / 1024} KiB. Split the reply into more pieces.`
    )
  if (text === '' && done === undefined)
    throw new Refusal(
      'EMPTY_MESSAGE',
      'The piece is empty. Send text, or append "; done" to the ID to end the reply.'
    )
  return { replyId, done: done !== undefined, text }
}

/** Adds a whole reply. The head is locked, and no other reply is growing. */
export async function appendReply(
  tx: Ctx,
  head: LockedSession,
  text: string,
  sentBy: string
): Promise<{ messageId: string; isNew: boolean }> {
  const message: Message = {
    id: newId('msg'),
    role: 'assistant',
    metadata: { createdAt: head.now, sentBy },
    parts: [{ type: 'text', text, state: 'done' }]
  }
  const seq = head.seq + 1
  await together([
    append(tx, head, [{ type: 'message', message }]),
    addMessage(tx, head, message, seq, { done: true }),
    showInList(tx, head, text)
  ])
  return { messageId: message.id, isNew: true }
}

/**
 * Adds a piece to a reply that is growing, or begins it; readers see it grow. The head is locked. `isNew`: this piece is the first
 * of its message.
 *
 * @throws Refusal `CONFLICT` if the reply was finished; `TOO_LARGE` if it has too many pieces
 */
export async function appendPiece(
  tx: Ctx,
  head: LockedSession,
  { replyId, done, text }: Piece,
  sentBy: string
): Promise<{ messageId: string; isNew: boolean }> {
  if ((await knownReceipt(tx, head, 'reply', replyId, {})) !== undefined)
    throw new Refusal(
      'CONFLICT',
      `The reply "${replyId}" is already finished. Start a new reply with another ID.`
    )
  const live = await liveReply(tx, head, replyId)
  if (live === undefined) await closeReplies(tx, head)
  else if (live.pieces >= most.pieces)
    throw new Refusal(
      'TOO_LARGE',
      `A reply can have up to ${most.pieces} pieces. Finish this reply and start a new one.`
    )
  const messageId = live?.id ?? newId('msg')
  if (live === undefined) await begin(tx, head, messageId, { replyId, sentBy })
  if (text !== '') await write(tx, head, messageId, [{ type: 'text-delta', id: part, delta: text }])
  if (done) {
    await finish(tx, head, messageId)
    await keepReceipt(tx, head, 'reply', replyId, {}, { messageId })
  }
  return { messageId, isNew: live === undefined }
}

/**
 * Ends replies that are growing, since something else is said now. The next piece of such a reply begins a new message.
 */
export async function closeReplies(
  tx: Ctx,
  head: LockedSession,
  growing?: readonly { id: string }[]
): Promise<void> {
  for (const { id } of growing ?? (await growingReplies(tx, head))) await finish(tx, head, id)
}

/** The replies of a session that are still growing. */
export const growingReplies = (tx: Ctx, head: LockedSession): PromiseLike<{ id: string }[]> => tx.sql<
  { id: string }[]
>`
  select id from messages where session_key = ${head.sessionKey} and role = 'assistant' and not done`

async function liveReply(
  tx: Ctx,
  head: LockedSession,
  replyId: string
): Promise<{ id: string; pieces: number } | undefined> {
  const [row] = await tx.sql<{ id: string; pieces: number }[]>`
    select m.id, (
      select count(*)::int from events where session_key = m.session_key and message_id = m.id) as pieces
    from messages m where m.session_key = ${head.sessionKey} and m.role = 'assistant' and not m.done
      and m.message -> 'metadata' ->> 'replyId' = ${replyId}`
  return row
}

async function begin(
  tx: Ctx,
  head: LockedSession,
  id: string,
  { replyId, sentBy }: { replyId: string; sentBy: string }
): Promise<void> {
  const messageMetadata = { createdAt: head.now, sentBy, replyId }
  const seq = await write(tx, head, id, [
    { type: 'start', messageId: id, messageMetadata },
    { type: 'start-step' }
  ])
  const message: Message = {
    id,
    role: 'assistant',
    metadata: messageMetadata,
    parts: [{ type: 'step-start' }]
  }
  await addMessage(tx, head, message, seq)
  await write(tx, head, id, [{ type: 'text-start', id: part }])
}

async function finish(tx: Ctx, head: LockedSession, id: string): Promise<void> {
  await write(tx, head, id, [{ type: 'text-end', id: part }, { type: 'finish-step' }, { type: 'finish' }])
  const message = await refold(tx, head, id, [], { done: true })
  if (message !== undefined) await showInList(tx, head, textOf(message))
}

/** Shows in the list of sessions that something was said: its beginning, or only the time. */
export async function showInList(tx: Ctx, head: LockedSession, text?: string): Promise<void> {
  const snippet = text === undefined ? null : text.trim().slice(0, 160)
  await tx.sql`
    update sessions set snippet = coalesce(${snippet}, snippet), active_at = clock_timestamp()
    where key = ${head.sessionKey}`
}

/** No turn of ours writes it: its chunks carry the message's own ID in the turn's place. */
const write = (tx: Ctx, head: LockedSession, messageId: string, chunks: Chunk[]): Promise<number> =>
  append(
    tx,
    head,
    chunks.map(chunk => ({ type: 'chunk', messageId, turnId: messageId, chunk }))
  )
