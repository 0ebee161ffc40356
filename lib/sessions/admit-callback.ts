import { isGenuineCallback, readCallbackToken } from '#lib/deliveries/callback-link.ts'
import type { Proof } from '#lib/deliveries/sign.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { AdmitCallback } from '#lib/protocol/callback.ts'
import { findClaimed, findPlaces, type Place } from './callback-places.ts'

/**
 * Who was let in to reply, and by what. With a `proof` its body still has to be signed by a secret of one of the places.
 */
export type Admitted = {
  places: Place[]
  proof?: Proof
  key: string | undefined
  message: string | undefined
  credential: string
}

/**
 * Who may reply in a session (api.md "External agents"), before anything of the reply is read: the `token` of its
 * `callbackUrl`, a key of its workspace, or a signature of its agent (Standard Webhooks). Once an agent has a signing secret
 * the token alone is not enough. None or forged: `401`. Genuine, but the session is unknown, deleted, lives again, or is not
 * an external agent's: `404`. A link that is used too often: `429`.
 */
export async function admitCallback(ctx: Ctx, asked: AdmitCallback): Promise<Admitted> {
  const { sessionId, token, key, message } = asked
  const proof = proofOf(asked)
  if (ctx.actor.kind === 'key') {
    const [place] = await findPlaces(ctx, sessionId, ctx.workspaceId)
    if (place === undefined) throw notFound('session of an external agent', sessionId)
    return { places: [place], key, message, credential: `key ${ctx.actor.keyId}` }
  }
  const claim = token === undefined ? undefined : readCallbackToken(token)
  const found = claim === undefined ? undefined : await findClaimed(ctx, { ...claim, sessionId })
  const genuine = claim !== undefined && found !== undefined && isGenuineCallback(found.linkSecret, claim)
  if (token !== undefined && !genuine)
    throw unproved('Reply to the callbackUrl exactly as it was sent to you.')
  if (genuine) {
    const { place } = found
    if (place === undefined) throw notFound('session of an external agent', sessionId)
    await ctx.ports.heedLimit('callback', `${place.sessionKey} ${place.generation}`)
    if (place.secrets.length === 0) return { places: [place], key, message, credential: 'link' }
    if (proof === undefined)
      throw unproved(
        `${place.agentName} has a signing secret, so its replies must be signed (Standard Webhooks), or carry an API key of the workspace.`
      )
    return { places: [place], proof, key, message, credential: 'signature' }
  }
  if (proof === undefined)
    throw unproved(
      'Reply to the callbackUrl as it was sent to you, sign the reply, or send an API key of the workspace as "Authorization: Bearer …".'
    )
  const places = (await findPlaces(ctx, sessionId)).filter(({ secrets }) => secrets.length > 0)
  if (places.length === 0) throw unproved('This signature is of no agent here.')
  return { places, proof, key, message, credential: 'signature' }
}

export const unproved = (message: string) => new Refusal('UNAUTHENTICATED', message)

/** All three headers of a signature, or none. */
function proofOf({ webhookId, webhookTimestamp, webhookSignature }: AdmitCallback): Proof | undefined {
  if (webhookId === undefined || webhookTimestamp === undefined || webhookSignature === undefined)
    return undefined
  return { id: webhookId, timestamp: webhookTimestamp, signature: webhookSignature }
}
