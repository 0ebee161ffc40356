import { notFound } from '@waystation/base/api-error.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { agentOfSession } from '#lib/agents/agent-of-session.ts'
import { hasSecrets } from '#lib/deliveries/secrets.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { callbackUrl, scopeOf } from './callback-link.ts'

/** The link for replies. `signed`: the agent has a signing secret, so the link alone is not enough. */
type CallbackLink = { callbackUrl: string; signed: boolean }

/**
 * Returns the link to which the session's external agent replies. Requires permission to edit agents, and the
 * link is never logged. Throws `NOT_FOUND` if the session has no external agent.
 */
export async function callbackLinkOf(ctx: Ctx, { sessionId }: InSession): Promise<CallbackLink> {
  const sessionKey = await sessionKeyOf(ctx, sessionId)
  const [session] = await ctx.sql<{ agentId: string; generation: number; secret: string }[]>`
    select s.agent_id, h.generation, w.link_secret as secret
    from sessions s join heads h on h.session_key = s.key join workspaces w on w.id = s.workspace_id
    where s.key = ${sessionKey} and s.external`
  const agent =
    session === undefined ? undefined : await agentOfSession(ctx, { sessionKey, agentId: session.agentId })
  if (session === undefined || agent?.type !== 'external') throw notFound('external session', sessionId)
  const { workspaceId } = ctx
  const base = agent.external.callbackBaseUrl ?? ctx.ports.origin
  const scope = scopeOf({ workspaceId, sessionKey, ...session }, agent.agentId)
  const signed = await hasSecrets(ctx, workspaceId, `agent:${agent.agentId}`)
  return { callbackUrl: callbackUrl(base, session.secret, sessionId, scope), signed }
}
