import { notFound } from '@waystation/base/api-error.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import {
  isGenuineCallback,
  linkSecretOf,
  readCallbackToken
} from '#lib/features/external-agents/callback-link.ts'
import { invalidToken, unauthenticated } from '#lib/features/external-agents/reply-target.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A call of an external agent, and where the caller may look for it. */
export type CallRef = { workspaceId: string; sessionId: string; toolCallId: string; generation?: number }

/** A call as it is stored. `seq` is the session's newest event, and `agentName` the name of the agent. */
export type FoundCall = CallRow & { seq: number; generation: number; agentName: string }

/**
 * Authorizes a request about one call, before anything is read: with the token of its `callUrl`, or with an API key of
 * the workspace.
 *
 * @throws ApiError `UNAUTHENTICATED`, `RATE_LIMITED`
 */
export async function authorizeCall(
  ctx: Ctx,
  { sessionId, toolCallId, token }: { sessionId: string; toolCallId: string; token?: string | undefined }
): Promise<{ ref: CallRef; link?: string }> {
  if (ctx.actor.kind === 'key') return { ref: { workspaceId: ctx.workspaceId, sessionId, toolCallId } }
  if (token === undefined)
    throw unauthenticated(
      'The request has no credential. Use the callUrl as you received it, or send an API key as "Authorization: Bearer …".'
    )
  const claim = readCallbackToken(token)
  const secret = claim && (await linkSecretOf(ctx, claim.workspaceId))
  if (claim === undefined || secret === undefined || !isGenuineCallback(secret, claim, toolCallId))
    throw invalidToken()
  const { workspaceId, generation } = claim
  const link = `${claim.sessionKey} ${toolCallId}`
  await ctx.ports.enforceRateLimit('callback', link)
  return { ref: { workspaceId, sessionId, toolCallId, generation }, link }
}

/** Returns a call that an external agent opened. Throws `NOT_FOUND` if it is none, or its session was deleted. */
export async function findCall({ sql }: Ctx, ref: CallRef): Promise<FoundCall> {
  const { workspaceId, sessionId, toolCallId, generation } = ref
  const [call] = await sql<FoundCall[]>`
    select c.*, h.seq, h.generation, coalesce(a.config ->> 'displayName', s.agent_id) as agent_name
    from sessions s join heads h on h.session_key = s.key
      join lateral (
        select ${callColumns(sql)} from calls
        where session_key = s.key and tool_call_id = ${toolCallId} and "where" = 'asker'
          and generation = h.generation) c on true
      left join agents a on a.workspace_id = s.workspace_id and a.id = coalesce(s.handed_to, s.agent_id)
    where s.workspace_id = ${workspaceId} and s.id = ${sessionId} and s.deleted_at is null
      and h.generation = ${generation ?? sql`h.generation`}`
  if (call === undefined) throw notFound('call', toolCallId)
  return call
}
