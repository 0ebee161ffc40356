import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { CallbackReceipt } from '@waystation/protocol/external-agent/callback.ts'
import { storable } from '#db/client.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import {
  appendPiece,
  appendReply,
  closeReplies,
  growingReplies,
  readPiece,
  updateListEntry
} from './append-reply.ts'
import type { AuthenticatedReply } from './authenticate-reply.ts'
import { deliveryIdOf } from './forward.ts'
import { auditReply, lockTarget, replyMetadata, signedTarget } from './reply-session.ts'
import { checkCredentials, withCurrentSecrets } from './reply-target.ts'

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
  const { credentials, about } = authenticated
  const { key, message, inReplyTo } = about
  const target = signedTarget(authenticated, reply)
  const text = redacted(target.ctx, 'reply', String(storable(reply)))
  const piece = message === undefined ? undefined : readPiece(message, text)
  if (piece === undefined && text.trim() === '')
    throw new ApiError('EMPTY_MESSAGE', 'The reply is empty. Send its text as the body.')
  const body = { ...(piece ?? { text: text.trimEnd() }), inReplyTo }
  return inTransaction(target.ctx, async tx => {
    const session = await lockTarget(tx, target)
    const [current, previousReceipt, growing, answered] = await pipelined([
      withCurrentSecrets(tx, session, target),
      findReceipt<CallbackReceipt>(tx, session, 'callback', key, body),
      piece === undefined ? growingReplies(tx, session) : [],
      inReplyTo === undefined ? [true] : findSent(tx, session, inReplyTo)
    ])
    const credential = checkCredentials(current, credentials, reply)
    if (previousReceipt !== undefined) return previousReceipt
    if (answered.length === 0)
      throw invalid('Waystation-In-Reply-To must be the ID of a message that this session sent to you.', {
        inReplyTo: 'is not the ID of a message in this session'
      })
    await closeReplies(tx, session, growing)
    const metadata = { ...replyMetadata(target), inReplyTo }
    const { messageId, isNew } =
      piece === undefined
        ? await appendReply(tx, session, text.trimEnd(), metadata)
        : await appendPiece(tx, session, piece, metadata)
    const receipt: CallbackReceipt = { ok: true, messageId }
    await pipelined([
      piece === undefined ? undefined : updateListEntry(tx, session),
      storeReceipt(tx, session, 'callback', key, body, receipt),
      isNew ? auditReply(tx, target, credential, messageId) : undefined
    ])
    return receipt
  })
}

/** Returns one row if the session sent an external agent a message, out-of-band message or handoff with this ID. */
const findSent = (
  { sql }: Ctx,
  { sessionKey }: LockedSession,
  id: string
): PromiseLike<readonly unknown[]> => sql`
  select from deliveries where id = ${deliveryIdOf(sessionKey, id)} and session_key = ${sessionKey}`
