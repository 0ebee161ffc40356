import type { CheckedSession, CheckSession } from '@waystation/protocol/session/session.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { idOf } from './create-session.ts'

/**
 * Returns what `createSession` would do with this ID (000-7, 000-22). It changes and reserves nothing, so another
 * caller can still take the ID. If the ID is free for this agent, an external agent with a `checkUrl` is asked too.
 */
export async function checkSession(ctx: Ctx, input: CheckSession): Promise<CheckedSession> {
  const sessionId = idOf(input.sessionId)
  const [session] = await ctx.sql<{ agentId: string; deleted: boolean }[]>`
    select agent_id, deleted_at is not null as deleted from sessions
    where workspace_id = ${ctx.workspaceId} and id = ${sessionId}`
  if (session !== undefined && session.agentId !== input.agentId)
    return { sessionId, outcome: 'taken', agentId: session.agentId }
  const outcome = session === undefined ? 'new' : session.deleted ? 'revive' : 'attach'
  const external = await ctx.ports.sessions.external.check(ctx, { agentId: input.agentId, sessionId })
  return { sessionId, outcome, ...(external === undefined ? {} : { external }) }
}
