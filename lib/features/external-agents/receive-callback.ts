import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { CallbackReceipt, JsonReply } from '@waystation/protocol/external-agent/callback.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { storable } from '#db/client.ts'
import { pipelined } from '#db/transaction.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { inAgentSession, type VerifiedRequest, verifyBody } from './agent-session.ts'
import {
  appendPiece,
  appendReply,
  closeReplies,
  growingReplies,
  type ReplyPiece,
  readPiece,
  updateListEntry
} from './append-reply.ts'
import type { AuthenticatedReply } from './authenticate-reply.ts'
import { deliveryIdOf } from './forward.ts'
import { auditReply, replyMetadata } from './reply-metadata.ts'
import { clearStatus } from './status-line.ts'

/** The most bytes in the text of a reply (docs/external-agents.md). */
export const maxReplyBytes = 1024 * 1024

/**
 * Stores a reply of an external agent as an assistant message (000-16). It needs no turn and no lease
 * (docs/concepts/engine.md#append-verb), and can arrive at any time. With a `key`, the reply is stored once,
 * and retries return the same receipt. With the header `Waystation-Message`, the reply is a piece of a
 * growing message. With `Waystation-In-Reply-To`, it names the message that it answers.
 *
 * @param reply the body as it was sent
 * @throws ApiError `UNAUTHENTICATED`, also if the credential was revoked since `authenticateReply`;
 * `INVALID_INPUT`, `EMPTY_MESSAGE`, `TOO_LARGE`, `CONFLICT`, `KEY_REUSED`, `NOT_FOUND`
 */
export async function receiveCallback(
  authenticated: AuthenticatedReply,
  reply: string
): Promise<CallbackReceipt> {
  const request = verifyBody(authenticated, reply)
  checkKey(request)
  const { message, inReplyTo } = request.about
  const text = redactedReply(request, reply)
  const piece = message === undefined ? undefined : readPiece(message, text)
  if (piece === undefined && text.trim() === '')
    throw new ApiError('EMPTY_MESSAGE', 'The reply is empty. Send its text as the body.')
  return storeReply(request, piece ?? { text: text.trimEnd(), fileIds: [] }, inReplyTo)
}

/**
 * Stores a reply that is sent as JSON: a text, files that the agent uploaded to this session, or both. The receipt and
 * its keys are those of `receiveCallback`.
 *
 * @throws ApiError as `receiveCallback`; `INVALID_INPUT` for a file that is unknown or of another session
 */
export async function receiveReply(
  request: VerifiedRequest,
  { text: raw, inReplyTo, fileIds }: JsonReply
): Promise<CallbackReceipt> {
  checkKey(request)
  if (Buffer.byteLength(raw) > maxReplyBytes)
    throw new ApiError('TOO_LARGE', 'The text of a reply can be up to 1 MiB. Split it into more replies.')
  const text = redactedReply(request, raw).trimEnd()
  if (text.trim() === '' && fileIds.length === 0)
    throw new ApiError('EMPTY_MESSAGE', 'The reply is empty. Send "text", "fileIds" or both.')
  return storeReply(request, { text, fileIds }, inReplyTo)
}

const redactedReply = ({ target }: VerifiedRequest, text: string): string =>
  redacted(target.ctx, 'reply', String(storable(text)))

/** Throws `INVALID_INPUT` for an idempotency key of a wrong length. */
export function checkKey({ about: { key } }: VerifiedRequest): void {
  if (key !== undefined && !Key.safeParse(key).success)
    throw invalid('An idempotency key must have 1 to 255 characters.', {
      key: 'must have 1 to 255 characters'
    })
}

/** A complete reply, or a piece of one. */
type Reply = ReplyPiece | { text: string; fileIds: readonly string[] }

/** The stored receipt of the key, the replies that are still growing, and one entry if the answered message is known. */
type Facts = [CallbackReceipt | undefined, { id: string }[], readonly unknown[]]

async function storeReply(
  request: VerifiedRequest,
  reply: Reply,
  inReplyTo: string | undefined
): Promise<CallbackReceipt> {
  const { target, about } = request
  const isPiece = 'replyId' in reply
  const { key, contentType } = about
  const type = contentType === undefined ? {} : { contentType }
  // A reply without files has the same body for both endpoints, so they share its key.
  const body = isPiece
    ? { ...reply, inReplyTo, ...type }
    : {
        text: reply.text,
        inReplyTo,
        ...type,
        ...(reply.fileIds.length === 0 ? {} : { fileIds: reply.fileIds })
      }
  return inAgentSession<CallbackReceipt, Facts>(
    request,
    async (tx, session, { credential, read: [previousReceipt, growing, answered] }) => {
      if (previousReceipt !== undefined) return previousReceipt
      if (answered.length === 0)
        throw invalid(
          'The ID in "inReplyTo" (the header Waystation-In-Reply-To) must name a message that this session sent to you.',
          { inReplyTo: 'is not the ID of a message in this session' }
        )
      await closeReplies(tx, session, growing)
      const metadata = { ...replyMetadata(target), inReplyTo, ...type }
      const { messageId, isNew } = isPiece
        ? await appendPiece(tx, session, reply, metadata)
        : await appendReply(tx, session, reply, metadata)
      const receipt: CallbackReceipt = { ok: true, messageId }
      await pipelined([
        isPiece && !reply.done ? undefined : clearStatus(tx, session),
        isPiece ? undefined : updateListEntry(tx, session),
        storeReceipt(tx, session, 'callback', key, body, receipt),
        isNew ? auditReply(tx, target, credential, messageId) : undefined
      ])
      return receipt
    },
    (tx, session) =>
      pipelined([
        findReceipt<CallbackReceipt>(tx, session, 'callback', key, body),
        isPiece ? [] : growingReplies(tx, session),
        inReplyTo === undefined ? [true] : findSent(tx, session, inReplyTo)
      ])
  )
}

/** Returns one row if the session sent an external agent a message, out-of-band message or handoff with this ID. */
const findSent = (
  { sql }: Ctx,
  { sessionKey }: LockedSession,
  id: string
): PromiseLike<readonly unknown[]> => sql`
  select from deliveries where id = ${deliveryIdOf(sessionKey, id)} and session_key = ${sessionKey}`
