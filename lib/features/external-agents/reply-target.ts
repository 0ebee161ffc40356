import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { Fragment } from '#db/client.ts'
import { type EncryptedSecret, maxSecrets, openSecrets } from '#lib/deliveries/secrets.ts'
import { type Proof, verifySignature } from '#lib/deliveries/sign.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallbackScope, isGenuineCallback } from './callback-link.ts'

/**
 * A session whose current agent is external, with the secrets that prove that a reply comes from this agent.
 * `handedTo` is set if the session was handed to it (003-11).
 */
export type ReplyTarget = {
  /** The caller's context, acting as the agent in its workspace. */
  ctx: Ctx
  sessionKey: number
  sessionId: string
  generation: number
  agentId: string
  agentName: string
  revision: number
  handedTo?: string | undefined
  linkSecret: string
  secrets: string[]
}

/** The credentials of a reply. `keyId` is the ID of an API key that is already verified. */
export type ReplyCredentials = {
  keyId?: string
  token?: CallbackScope & { signature: string }
  signature?: Proof
}

type Row = Omit<ReplyTarget, 'ctx' | 'secrets' | 'handedTo'> & {
  workspaceId: string
  handedTo: string | null
  sealed: EncryptedSecret[]
}

/**
 * Returns the sessions of external agents with this ID that are not deleted: at most one in `workspaceId`, or
 * at most 20 across all workspaces.
 */
export async function findReplyTargets(
  ctx: Ctx,
  sessionId: string,
  workspaceId?: string
): Promise<ReplyTarget[]> {
  const inWorkspace = workspaceId === undefined ? ctx.sql`` : ctx.sql`and s.workspace_id = ${workspaceId}`
  const rows = await ctx.sql<Row[]>`
    select s.key as session_key, s.id as session_id, h.generation, s.workspace_id, s.handed_to,
      coalesce(s.handed_to, s.agent_id) as agent_id, coalesce(a.revision, 1) as revision,
      coalesce(a.config ->> 'displayName', s.handed_to, s.agent_id) as agent_name, w.link_secret,
      ${sealedSecrets(ctx, ctx.sql`s.workspace_id`, ctx.sql`coalesce(s.handed_to, s.agent_id)`)} as sealed
    from sessions s
      join heads h on h.session_key = s.key
      join workspaces w on w.id = s.workspace_id
      left join agents a on a.workspace_id = s.workspace_id and a.id = coalesce(s.handed_to, s.agent_id)
    where s.id = ${sessionId} and s.external and s.deleted_at is null ${inWorkspace} limit 20`
  return rows.map(({ workspaceId, handedTo, sealed, ...row }) => ({
    ...row,
    handedTo: handedTo ?? undefined,
    secrets: openSecrets(ctx, workspaceId, `agent:${row.agentId}`, sealed),
    ctx: { ...ctx, workspaceId, actor: { kind: 'system', name: row.agentName, workspaceId } as const }
  }))
}

/**
 * Returns the target with its current secrets, which may have changed since it was read. Throws `NOT_FOUND` if
 * another agent has taken over the session since. The caller holds the session's lock.
 */
export async function withCurrentSecrets(
  tx: Ctx,
  session: LockedSession,
  target: ReplyTarget
): Promise<ReplyTarget> {
  const { workspaceId, sessionKey } = session
  const { agentId } = target
  const [row] = await tx.sql<Pick<Row, 'linkSecret' | 'sealed' | 'agentId'>[]>`
    select w.link_secret, coalesce(s.handed_to, s.agent_id) as agent_id,
      ${sealedSecrets(tx, tx.sql`s.workspace_id`, tx.sql`${agentId}::text`)} as sealed
    from sessions s join workspaces w on w.id = s.workspace_id where s.key = ${sessionKey}`
  if (row === undefined) throw invalidToken()
  if (row.agentId !== agentId) throw notFound('external session', target.sessionId)
  const { linkSecret, sealed } = row
  return { ...target, linkSecret, secrets: openSecrets(tx, workspaceId, `agent:${agentId}`, sealed) }
}

/** Returns SQL for an agent's valid signing secrets, newest first, as JSON. */
const sealedSecrets = ({ sql }: Ctx, workspaceId: Fragment, agentId: Fragment) => sql`
  coalesce((select json_agg(newest) from (
    select id, sealed from signing_secrets
    where workspace_id = ${workspaceId} and owner = 'agent:' || ${agentId}
      and (retires_at is null or retires_at > clock_timestamp())
    order by created_at desc limit ${maxSecrets}) newest), '[]')`

/**
 * Checks whether the credentials permit a reply, and returns the credential's name for the audit log. An API
 * key of the workspace or a signature is enough. The token of the `callbackUrl` is enough only while the
 * agent has no signing secret. Without `body`, a signature must be present but is not verified.
 *
 * @throws ApiError `UNAUTHENTICATED`
 */
export function checkCredentials(
  { agentName, linkSecret, secrets }: ReplyTarget,
  { keyId, token, signature }: ReplyCredentials,
  body?: string | Uint8Array
): string {
  if (keyId !== undefined) return `key ${keyId}`
  if (token !== undefined && !isGenuineCallback(linkSecret, token)) throw invalidToken()
  if (token !== undefined && secrets.length === 0) return 'link'
  if (signature === undefined)
    throw unauthenticated(
      `${agentName} has a signing secret. Sign the request (Standard Webhooks), or send an API key of the workspace.`
    )
  if (body !== undefined && !verifySignature(secrets, signature, body))
    throw unauthenticated('The signature is not valid. Check the signing secret, the timestamp and the body.')
  return 'signature'
}

/** Returns the error for an invalid `callbackUrl` token. */
export const invalidToken = () =>
  unauthenticated(
    'The token of the callbackUrl is not valid. Use the callbackUrl exactly as you received it.'
  )

/** Returns the error for a reply without a valid credential. */
export const unauthenticated = (message: string) => new ApiError('UNAUTHENTICATED', message)
