import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { describeFile, fileUrl } from '@waystation/protocol/session/stored-file.ts'
import type { wikitextType } from '@waystation/protocol/wiki/wikitext-type.ts'
import { addMessage } from '#lib/engine/context/add-message.ts'
import { addEntry } from '#lib/engine/context/context-entries.ts'
import { refold } from '#lib/engine/context/refold.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { previewFrom } from '#lib/kernel/list-texts.ts'
import { attachFiles } from '#lib/sessions/files/attach-files.ts'

/** The maximum number of pieces of a reply, and of bytes in a piece. */
const limits = { pieces: 2000, bytes: 64 * 1024 }

/** The ID of the only text part of a reply that arrives in pieces. */
const textPartId = 'text'

/** A piece of a reply. `replyId` is the sender's own ID for the reply, and `done` marks the last piece. */
export type ReplyPiece = { replyId: string; done: boolean; text: string }

/**
 * Reads the header `Waystation-Message`: `<id>`, or `<id>; done` for the last piece. Throws `INVALID_INPUT`,
 * `TOO_LARGE` or `EMPTY_MESSAGE`.
 */
export function readPiece(header: string, text: string): ReplyPiece {
  const [, replyId, done] = /^([A-Za-z0-9_-]{1,64})\s*(;\s*done)?$/.exec(header.trim()) ?? []
  if (replyId === undefined)
    throw invalid(
      'The header Waystation-Message must be an ID of 1 to 64 letters, digits, - and _. Append "; done" for the last piece.'
    )
  if (Buffer.byteLength(text) > limits.bytes)
    throw new ApiError(
      'TOO_LARGE',
      `A piece can be up to ${limits.bytes / 1024} KiB. Split the reply into more pieces.`
    )
  if (text === '' && done === undefined)
    throw new ApiError(
      'EMPTY_MESSAGE',
      'The piece is empty. Send text, or append "; done" to the ID to end the reply.'
    )
  return { replyId, done: done !== undefined, text }
}

/**
 * The metadata of a reply. `inReplyTo` is the ID of the message that it answers. `agentId` and `revision` are those of
 * an external agent that has taken over the session.
 */
type ReplyMetadata = {
  sentBy: string
  inReplyTo?: string | undefined
  contentType?: typeof wikitextType
  agentId?: string
  revision?: number
}

/**
 * Appends a complete reply with its files, which the agent uploaded to this session. The caller holds the session's lock
 * and has closed all growing replies.
 *
 * @throws ApiError `INVALID_INPUT` for a file that is unknown, of another session or already sent
 */
export async function appendReply(
  tx: Ctx,
  session: LockedSession,
  { text, fileIds }: { text: string; fileIds: readonly string[] },
  metadata: ReplyMetadata
): Promise<{ messageId: string; isNew: boolean }> {
  const id = newId('msg')
  // `attachFiles` replaces the type with the stored one.
  const uploads = fileIds.map(fileId => ({
    type: 'file' as const,
    mediaType: 'application/octet-stream',
    url: fileUrl(session.sessionId, fileId)
  }))
  const files = (await attachFiles(tx, session, id, uploads)) as Message['parts']
  const message: Message = {
    id,
    role: 'assistant',
    metadata: { createdAt: session.now, ...metadata },
    parts: [...(text === '' ? [] : [{ type: 'text' as const, text, state: 'done' as const }]), ...files]
  }
  updateListEntry(tx, session, message)
  const seq = append(tx, session, [{ type: 'message', message }])
  await addMessage(tx, session, message, seq, { done: true })
  await addToContext(tx, session, message)
  await announce(tx, session, message)
  return { messageId: message.id, isNew: true }
}

/**
 * Appends a piece to a growing reply, or starts one. Readers see the reply grow. `isNew` is true for the
 * first piece. The caller holds the session's lock.
 *
 * @throws ApiError `CONFLICT` if the reply is finished; `TOO_LARGE` if it has too many pieces
 */
export async function appendPiece(
  tx: Ctx,
  session: LockedSession,
  { replyId, done, text }: ReplyPiece,
  metadata: ReplyMetadata
): Promise<{ messageId: string; isNew: boolean }> {
  if ((await findReceipt(tx, session, 'reply', replyId, {})) !== undefined)
    throw new ApiError(
      'CONFLICT',
      `The reply "${replyId}" is already finished. Start a new reply with another ID.`
    )
  const live = await liveReply(tx, session, replyId)
  if (live === undefined) await closeReplies(tx, session)
  else if (live.pieces >= limits.pieces)
    throw new ApiError(
      'TOO_LARGE',
      `A reply can have up to ${limits.pieces} pieces. Finish this reply and start a new one.`
    )
  const messageId = live?.id ?? newId('msg')
  if (live === undefined) await startReply(tx, session, messageId, { ...metadata, replyId })
  if (text !== '') write(tx, session, messageId, [{ type: 'text-delta', id: textPartId, delta: text }])
  if (done) {
    await finish(tx, session, messageId)
    await storeReceipt(tx, session, 'reply', replyId, {}, { messageId })
  }
  return { messageId, isNew: live === undefined }
}

/** Finishes growing replies, because another message follows. The next piece of such a reply starts a new message. */
export async function closeReplies(
  tx: Ctx,
  session: LockedSession,
  growing?: readonly { id: string }[]
): Promise<void> {
  for (const { id } of growing ?? (await growingReplies(tx, session))) await finish(tx, session, id)
}

/** Returns the IDs of the session's replies that are still growing. */
export const growingReplies = (tx: Ctx, session: LockedSession): PromiseLike<{ id: string }[]> => tx.sql<
  { id: string }[]
>`
  select id from messages where session_key = ${session.sessionKey} and role = 'assistant' and not done`

async function liveReply(
  tx: Ctx,
  session: LockedSession,
  replyId: string
): Promise<{ id: string; pieces: number } | undefined> {
  const [row] = await tx.sql<{ id: string; pieces: number }[]>`
    select m.id, (
      select count(*)::int from events where session_key = m.session_key and message_id = m.id) as pieces
    from messages m where m.session_key = ${session.sessionKey} and m.role = 'assistant' and not m.done
      and m.message -> 'metadata' ->> 'replyId' = ${replyId}`
  return row
}

async function startReply(
  tx: Ctx,
  session: LockedSession,
  id: string,
  metadata: ReplyMetadata & { replyId: string }
): Promise<void> {
  const messageMetadata = { createdAt: session.now, ...metadata }
  const seq = write(tx, session, id, [
    { type: 'start', messageId: id, messageMetadata },
    { type: 'start-step' }
  ])
  const message: Message = {
    id,
    role: 'assistant',
    metadata: messageMetadata,
    parts: [{ type: 'step-start' }]
  }
  await addMessage(tx, session, message, seq)
  write(tx, session, id, [{ type: 'text-start', id: textPartId }])
}

async function finish(tx: Ctx, session: LockedSession, id: string): Promise<void> {
  write(tx, session, id, [{ type: 'text-end', id: textPartId }, { type: 'finish-step' }, { type: 'finish' }])
  const message = await refold(tx, session, id, { done: true, calls: [] })
  if (message === undefined) return
  updateListEntry(tx, session, message)
  await addToContext(tx, session, message)
  await announce(tx, session, message)
}

/**
 * Adds a reply to the context of a session that was handed to an external agent, for a chat agent that takes over
 * later. Its files are named, because models reject empty texts. Other sessions of external agents have no context.
 */
async function addToContext(
  tx: Ctx,
  session: LockedSession,
  { id, metadata, parts }: Message
): Promise<void> {
  const { agentId, revision } = metadata ?? {}
  if (agentId === undefined) return
  const files = parts.flatMap(part => (part.type === 'file' ? `[attached: ${describeFile(part)}]` : []))
  const text = [textOf({ parts }), ...files].filter(line => line !== '').join('\n')
  if (text === '') return
  await addEntry(tx, session, {
    kind: 'step',
    turnId: id,
    messageId: id,
    payload: { content: [{ type: 'text', text }], callIds: [], agentId, revision },
    tokens: countTokens(text)
  })
}

/** Tells the workspace's webhooks that a reply is complete. After a handoff, its agent is not the session's own. */
const announce = (tx: Ctx, session: LockedSession, { id, metadata, parts }: Message): Promise<void> =>
  tx.ports.notifyWebhooks(tx, session, {
    type: 'message.received',
    about: id,
    data: {
      ...(metadata?.agentId === undefined ? {} : { agentId: metadata.agentId }),
      messageId: id,
      inReplyTo: metadata?.inReplyTo,
      snippet: (textOf({ parts }).trim() || namesOf({ parts })).slice(0, 160)
    }
  })

const namesOf = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.flatMap(part => (part.type === 'file' ? (part.filename ?? []) : [])).join(', ')

/** Updates the session's entry in the list of sessions: the preview of the reply, if given, and the time. */
export function updateListEntry(tx: Ctx, session: LockedSession, reply?: Message): void {
  change(tx, session, {
    isActive: true,
    ...(reply === undefined ? {} : { snippet: previewFrom(textOf(reply)) || namesOf(reply).slice(0, 160) })
  })
}

// No turn writes this message, so its chunks carry the message's ID instead of a turn's.
const write = (tx: Ctx, session: LockedSession, messageId: string, chunks: Chunk[]): number =>
  append(
    tx,
    session,
    chunks.map(chunk => ({ type: 'chunk', messageId, turnId: messageId, chunk }))
  )
