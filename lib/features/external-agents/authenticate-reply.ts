import type { AuthenticateReply } from '@waystation/protocol/external-agent/callback.ts'
import { missingSessionError } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isGenuineCallback, linkSecretOf, readCallbackToken } from './callback-link.ts'
import {
  checkCredentials,
  findReplyTargets,
  invalidToken,
  type ReplyCredentials,
  type ReplyTarget,
  unauthenticated
} from './reply-target.ts'

/** A request that passed the first check. `verifyBody` checks its credentials again, together with its body. */
export type AuthenticatedReply = {
  /** One session, unless only the signature of the body can tell which of several is meant. */
  targets: ReplyTarget[]
  credentials: ReplyCredentials
  /** The headers that describe the reply. */
  about: Pick<AuthenticateReply, 'key' | 'message' | 'inReplyTo' | 'contentType'>
  /** The key for the limit of open requests. Undefined with an API key, which has its own limits. */
  link?: string
}

/**
 * Authenticates an external agent before the body of its request is read (api.md "External agents"). The credential is
 * the `token` of the `callbackUrl`, an API key of the workspace, or the agent's signature (Standard
 * Webhooks).
 *
 * @param address the client's IP address, which limits signatures without a token
 * @throws ApiError `UNAUTHENTICATED` without a valid credential; `NOT_FOUND` if the session does not exist,
 * was deleted or re-created, or its agent is not external or no longer the one with this credential; `EXPIRED` after
 * its retention; `RATE_LIMITED`
 */
export async function authenticateReply(
  ctx: Ctx,
  input: AuthenticateReply,
  address: string
): Promise<AuthenticatedReply> {
  const { sessionId, key, message, inReplyTo, contentType } = input
  const about = { key, message, inReplyTo, contentType }
  if (ctx.actor.kind === 'key') {
    const targets = await findReplyTargets(ctx, sessionId, ctx.workspaceId)
    if (targets.length === 0) throw await missingSessionError(ctx, sessionId, resourceName)
    return { targets, credentials: { keyId: ctx.actor.keyId }, about }
  }
  const signature = signatureOf(input)
  if (input.token !== undefined) {
    const token = readCallbackToken(input.token)
    if (token === undefined) throw invalidToken()
    const targets = await findReplyTargets(ctx, sessionId, token.workspaceId)
    const [target] = targets
    if (
      target?.sessionKey !== token.sessionKey ||
      target.generation !== token.generation ||
      target.handedTo !== token.agentId
    ) {
      const secret = await linkSecretOf(ctx, token.workspaceId)
      if (secret === undefined || !isGenuineCallback(secret, token)) throw invalidToken()
      throw await missingSessionError({ ...ctx, workspaceId: token.workspaceId }, sessionId, resourceName)
    }
    const credentials = { token, ...(signature && { signature }) }
    if (!isGenuineCallback(target.linkSecret, token)) throw invalidToken()
    const link = `${target.sessionKey} ${target.generation}`
    await ctx.ports.enforceRateLimit('callback', link)
    checkCredentials(target, credentials)
    return { targets, credentials, about, link }
  }
  if (signature === undefined)
    throw unauthenticated(
      'The request has no credential. Use the callbackUrl as you received it, sign the request, or send an API key as "Authorization: Bearer …".'
    )
  // Only the body shows whether a signature is valid, so the address is limited before the body is read.
  await ctx.ports.enforceRateLimit('unauthenticated', address, 'look')
  const targets = (await findReplyTargets(ctx, sessionId)).filter(({ secrets }) => secrets.length > 0)
  if (targets.length === 0) throw unauthenticated('No agent has a secret that matches this signature.')
  const link = `${address} ${sessionId}`
  await ctx.ports.enforceRateLimit('callback', link)
  return { targets, credentials: { signature }, about, link }
}

/**
 * Throws `UNAUTHENTICATED` if only the body can show who sent a request. Reading a file before that would let anyone fill
 * the server's memory.
 */
export function requireLink({ credentials: { keyId, token } }: AuthenticatedReply): void {
  if (keyId === undefined && token === undefined)
    throw unauthenticated(
      'A signature alone cannot upload a file. Send the token of the callbackUrl too, or an API key.'
    )
}

/** The name of the resource in errors: only sessions of external agents have a callback. */
const resourceName = 'external session'

/** Returns the signature, or undefined unless all three of its headers are present. */
function signatureOf({ webhookId, webhookTimestamp, webhookSignature }: AuthenticateReply) {
  if (webhookId === undefined || webhookTimestamp === undefined || webhookSignature === undefined)
    return undefined
  return { id: webhookId, timestamp: webhookTimestamp, signature: webhookSignature }
}
