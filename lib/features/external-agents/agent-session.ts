import { notFound } from '@waystation/base/api-error.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { verifySignature } from '#lib/deliveries/sign.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AuthenticatedReply } from './authenticate-reply.ts'
import { checkCredentials, type ReplyTarget, unauthenticated, withCurrentSecrets } from './reply-target.ts'

/** A request of an external agent whose credential is valid for its body. */
export type VerifiedRequest = Pick<AuthenticatedReply, 'credentials' | 'about'> & {
  target: ReplyTarget
  body: string | Uint8Array
}

/**
 * Checks the credential of a request together with its body, as it was sent. Call it before the body is parsed.
 *
 * @throws ApiError `UNAUTHENTICATED`
 */
export function verifyBody(authenticated: AuthenticatedReply, body: string | Uint8Array): VerifiedRequest {
  const { credentials, about } = authenticated
  const target = signedTarget(authenticated, body)
  checkCredentials(target, credentials, body)
  return { target, credentials, about, body }
}

/**
 * Runs `work` under the lock of the agent's session. The credential is checked again under the lock, because it can have
 * been revoked since. `read` starts statements that go in the same round trip as this check. `credential` is the name
 * for the audit log.
 *
 * @throws ApiError `UNAUTHENTICATED`; `NOT_FOUND` if the session was deleted or created again since
 */
export async function inAgentSession<T, Read = undefined>(
  { target, credentials, body }: VerifiedRequest,
  work: (tx: Ctx, session: LockedSession, known: { credential: string; read: Read }) => Promise<T>,
  read?: (tx: Ctx, session: LockedSession) => Promise<Read>
): Promise<T> {
  return inTransaction(target.ctx, async tx => {
    const session = await lockSession(tx, target.sessionId)
    if (session.generation !== target.generation || !session.external)
      throw notFound('external session', target.sessionId)
    const [current, known] = await pipelined([
      withCurrentSecrets(tx, session, target),
      read?.(tx, session) as Promise<Read>
    ])
    return work(tx, session, { credential: checkCredentials(current, credentials, body), read: known })
  })
}

/**
 * Returns the session to which the request belongs. If there are several, it is the one whose agent signed the body.
 */
function signedTarget(
  { targets, credentials: { signature } }: AuthenticatedReply,
  body: string | Uint8Array
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
