import { readCallbackToken } from '#lib/deliveries/callback-link.ts'
import type { Proof } from '#lib/deliveries/sign.ts'
import { absenceOf } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { AdmitCallback } from '#lib/protocol/callback.ts'
import { findClaimed, findPlaces, type Place } from './callback-places.ts'

/**
 * Who was let in to reply, and by what. With a `proof` its body still has to be signed by a secret of one of the places.
 * `again`: asks once more, by what is stored now. `remembered`: this was answered by what was stored a while ago.
 */
export type Admitted = {
  places: Place[]
  proof?: Proof
  key: string | undefined
  message: string | undefined
  credential: string
  /** By what its open requests are counted; a key has its own count. */
  link?: string
  again: () => Promise<Admitted>
  remembered?: boolean
}

/**
 * Who may reply in a session (api.md "External agents"), before anything of the reply is read: the `token` of its
 * `callbackUrl`, a key of its workspace, or a signature of its agent (Standard Webhooks). Once an agent has a signing secret
 * the token alone is not enough. None or forged: `401`. Genuine, but the session is unknown, deleted, lives again, or is not
 * an external agent's: `404`; past its workspace's retention: `410`. A link that is used too often, or signatures that come too
 * often from one client IP (`address`): `429`.
 */
export async function admitCallback(
  ctx: Ctx,
  asked: AdmitCallback,
  address: string,
  anew = false
): Promise<Admitted> {
  const { sessionId, token, key, message } = asked
  const proof = proofOf(asked)
  const by = { key, message, again: () => admitCallback(ctx, asked, address, true) }
  if (ctx.actor.kind === 'key') {
    const [place] = await findPlaces(ctx, sessionId, ctx.workspaceId)
    if (place === undefined) throw await absenceOf(ctx, sessionId, what)
    return { places: [place], ...by, credential: `key ${ctx.actor.keyId}` }
  }
  const claim = token === undefined ? undefined : readCallbackToken(token)
  // A whole reply is placed together with its stamp; a piece is not.
  const found = claim && (await findClaimed(ctx, { ...claim, sessionId }, anew || message !== undefined))
  if (token !== undefined && found === undefined)
    throw unproved(
      'The token of the callbackUrl is not valid. Use the callbackUrl exactly as you received it.'
    )
  if (claim !== undefined && found !== undefined) {
    const { place, remembered } = found
    if (place === undefined)
      throw await absenceOf({ ...ctx, workspaceId: claim.workspaceId }, sessionId, what)
    const link = `${place.sessionKey} ${place.generation}`
    await ctx.ports.heedLimit('callback', link)
    if (place.secrets.length === 0) return { places: [place], ...by, credential: 'link', link, remembered }
    if (proof === undefined && remembered) return by.again()
    if (proof === undefined)
      throw unproved(
        `${place.agentName} has a signing secret. Sign the reply (Standard Webhooks), or send an API key of the workspace.`
      )
    return { places: [place], proof, ...by, credential: 'signature', link, remembered }
  }
  if (proof === undefined)
    throw unproved(
      'The reply has no credential. Use the callbackUrl as you received it, sign the reply, or send an API key as "Authorization: Bearer …".'
    )
  // Only the body tells whether a signature fits, so whoever sends others is held off before it is read.
  await ctx.ports.heedLimit('unauthenticated', address, 'look')
  const places = (await findPlaces(ctx, sessionId)).filter(({ secrets }) => secrets.length > 0)
  if (places.length === 0) throw unproved('No agent has a secret that matches this signature.')
  const link = `${address} ${sessionId}`
  await ctx.ports.heedLimit('callback', link)
  return { places, proof, ...by, credential: 'signature', link }
}

/** Only such a session has a callback. */
const what = 'external session'

export const unproved = (message: string) => new Refusal('UNAUTHENTICATED', message)

/** All three headers of a signature, or none. */
function proofOf({ webhookId, webhookTimestamp, webhookSignature }: AdmitCallback): Proof | undefined {
  if (webhookId === undefined || webhookTimestamp === undefined || webhookSignature === undefined)
    return undefined
  return { id: webhookId, timestamp: webhookTimestamp, signature: webhookSignature }
}
