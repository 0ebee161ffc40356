import { isGenuineCallback, readCallbackToken } from '#lib/deliveries/callback-link.ts'
import { secretsOf } from '#lib/deliveries/secrets.ts'
import type { Proof } from '#lib/deliveries/sign.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import type { AdmitCallback } from '#lib/protocol/callback.ts'

/** Where a reply may go: one life of one session of an external agent. */
export type Place = { ctx: Ctx; sessionId: string; generation: number; agentName: string; secrets: string[] }

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
 * an external agent's: `404`.
 */
export async function admitCallback(ctx: Ctx, asked: AdmitCallback): Promise<Admitted> {
  const { sessionId, token, key, message } = asked
  const proof = proofOf(asked)
  if (ctx.actor.kind === 'key') {
    const [place] = await findPlaces(ctx, sessionId, { workspaceId: ctx.workspaceId })
    if (place === undefined) throw notFound('session of an external agent', sessionId)
    return { places: [place], key, message, credential: `key ${ctx.actor.keyId}` }
  }
  const claim = token === undefined ? undefined : readCallbackToken(token)
  const [workspace] =
    claim === undefined
      ? []
      : await ctx.sql<{ secret: string }[]>`
    select link_secret as secret from workspaces where id = ${claim.workspaceId}`
  const genuine = claim !== undefined && workspace !== undefined && isGenuineCallback(workspace.secret, claim)
  if (token !== undefined && !genuine)
    throw unproved('Reply to the callbackUrl exactly as it was sent to you.')
  if (genuine) {
    const [place] = await findPlaces(ctx, sessionId, claim)
    if (place === undefined) throw notFound('session of an external agent', sessionId)
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
  const places = (await findPlaces(ctx, sessionId, {})).filter(({ secrets }) => secrets.length > 0)
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

/** Sessions of external agents by this ID: of one workspace, of one life, or (for a signature to tell apart) of any. */
async function findPlaces(
  ctx: Ctx,
  sessionId: string,
  claim: { workspaceId?: string; sessionKey?: number; generation?: number }
): Promise<Place[]> {
  const { workspaceId = null, sessionKey = null, generation = null } = claim
  const rows = await ctx.sql<
    { workspaceId: string; agentId: string; generation: number; agentName: string }[]
  >`
    select s.workspace_id as "workspaceId", s.agent_id as "agentId", h.generation,
      coalesce(a.config ->> 'displayName', s.agent_id) as "agentName"
    from sessions s join heads h on h.session_key = s.key
      left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id
    where s.id = ${sessionId} and s.external and s.deleted_at is null
      and (${workspaceId}::text is null or s.workspace_id = ${workspaceId})
      and (${sessionKey}::bigint is null or s.key = ${sessionKey})
      and (${generation}::int is null or h.generation = ${generation})
    limit 20`
  return Promise.all(
    rows.map(async ({ workspaceId, agentId, generation, agentName }) => ({
      ctx: { ...ctx, workspaceId, actor: { kind: 'system', name: agentName, workspaceId } },
      sessionId,
      generation,
      agentName,
      secrets: await secretsOf(ctx, workspaceId, `agent:${agentId}`)
    }))
  )
}
