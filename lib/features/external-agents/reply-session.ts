import { invalid, notFound } from '@waystation/base/api-error.ts'
import { Key } from '@waystation/protocol/idempotency-key.ts'
import { verifySignature } from '#lib/deliveries/sign.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AuthenticatedReply } from './authenticate-reply.ts'
import { checkCredentials, type ReplyTarget, unauthenticated } from './reply-target.ts'

/**
 * Returns the session to which a request of an external agent belongs. If there are several, it is the one whose
 * agent signed the body.
 *
 * @throws ApiError `UNAUTHENTICATED`; `INVALID_INPUT` for an invalid idempotency key
 */
export function signedTarget(
  { targets, credentials, about: { key } }: AuthenticatedReply,
  body: string
): ReplyTarget {
  const { signature } = credentials
  const [first, ...others] = targets
  const target =
    first !== undefined && others.length === 0
      ? first
      : targets.find(({ secrets }) => signature !== undefined && verifySignature(secrets, signature, body))
  if (target === undefined)
    throw unauthenticated('The signature is not valid. Check the signing secret, the timestamp and the body.')
  checkCredentials(target, credentials, body)
  if (key !== undefined && !Key.safeParse(key).success)
    throw invalid('An idempotency key must have 1 to 255 characters.', {
      key: 'must have 1 to 255 characters'
    })
  return target
}

/**
 * Locks the session of an authenticated request. Throws `NOT_FOUND` if it was created again since, or if its agent is
 * no longer external. Afterwards, check the credentials again (`withCurrentSecrets`).
 */
export async function lockTarget(tx: Ctx, { sessionId, generation }: ReplyTarget): Promise<LockedSession> {
  const session = await lockSession(tx, sessionId)
  if (session.generation !== generation || !session.external) throw notFound('external session', sessionId)
  return session
}

/** Returns the metadata of every message from this agent. */
export const replyMetadata = ({ agentName, agentId, revision, handedTo }: ReplyTarget) => ({
  sentBy: agentName,
  ...(handedTo === undefined ? {} : { agentId, revision })
})

/** Adds a message from an external agent to the audit log. `credential` is what `checkCredentials` returned. */
export const auditReply = (
  { sql }: Ctx,
  { ctx: { workspaceId }, sessionId, agentName }: ReplyTarget,
  credential: string,
  messageId: string
) => sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
  values (${workspaceId}, ${sessionId}, 'message.injected', ${agentName}, ${credential}, ${messageId}, clock_timestamp())`
