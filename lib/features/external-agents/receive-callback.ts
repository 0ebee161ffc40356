import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import type { CallbackReceipt } from '@waystation/protocol/external-agent/callback.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { storable } from '#db/client.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { verifySignature } from '#lib/deliveries/sign.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
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
import { checkCredentials, type ReplyTarget, unauthenticated, withCurrentSecrets } from './reply-target.ts'

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
  checkCredentials(target, credentials, reply)
  if (key !== undefined && !Key.safeParse(key).success)
    throw invalid('An idempotency key must have 1 to 255 characters.', {
      key: 'must have 1 to 255 characters'
    })
  const text = redacted(target.ctx, 'reply', String(storable(reply)))
  const piece = message === undefined ? undefined : readPiece(message, text)
  if (piece === undefined && text.trim() === '')
    throw new ApiError('EMPTY_MESSAGE', 'The reply is empty. Send its text as the body.')
  const body = { ...(piece ?? { text: text.trimEnd() }), inReplyTo }
  return inTransaction(target.ctx, async tx => {
    const session = await lockSession(tx, target.sessionId)
    if (session.generation !== target.generation || !session.external)
      throw notFound('external session', target.sessionId)
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
    const metadata = { sentBy: target.agentName, inReplyTo }
    const { messageId, isNew } =
      piece === undefined
        ? await appendReply(tx, session, text.trimEnd(), metadata)
        : await appendPiece(tx, session, piece, metadata)
    const receipt: CallbackReceipt = { ok: true, messageId }
    await pipelined([
      piece === undefined ? undefined : updateListEntry(tx, session),
      storeReceipt(tx, session, 'callback', key, body, receipt),
      isNew
        ? tx.sql`
            insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
            values (${session.workspaceId}, ${session.sessionId}, 'message.injected', ${target.agentName}, ${credential}, ${messageId},
              clock_timestamp())`
        : undefined
    ])
    return receipt
  })
}

/** Returns one row if the session sent the external agent a message or out-of-band message with this ID. */
const findSent = (
  { sql }: Ctx,
  { sessionKey }: LockedSession,
  id: string
): PromiseLike<readonly unknown[]> => sql`
  select from messages where session_key = ${sessionKey} and id = ${id} and role = 'user'
  union all select from out_of_band where session_key = ${sessionKey} and id = ${id}`

/**
 * Returns the session to which the reply belongs. If there are several, it is the one whose agent signed the
 * body.
 */
function signedTarget(
  { targets, credentials: { signature } }: AuthenticatedReply,
  body: string
): ReplyTarget {
  const [first, ...others] = targets
  if (first !== undefined && others.length === 0) return first
  const signed = targets.find(
    ({ secrets }) => signature !== undefined && verifySignature(secrets, signature, body)
  )
  if (signed === undefined)
    throw unauthenticated('The signature is not valid. Check the signing secret, the timestamp and the body.')
  return signed
}
