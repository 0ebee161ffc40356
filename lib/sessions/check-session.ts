import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CheckedSession, CheckSession } from '#lib/protocol/session/session.ts'
import { idOf } from './create-session.ts'

/** What `createSession` would do with this ID (000-7, 000-22). It changes nothing, so somebody may be faster meanwhile. */
export async function checkSession(ctx: Ctx, input: CheckSession): Promise<CheckedSession> {
  const sessionId = idOf(input.sessionId)
  const [known] = await ctx.sql<{ agentId: string; deleted: boolean }[]>`
    select agent_id, deleted_at is not null as deleted from sessions
    where workspace_id = ${ctx.workspaceId} and id = ${sessionId}`
  if (known === undefined) return { sessionId, outcome: 'new' }
  if (known.agentId !== input.agentId) return { sessionId, outcome: 'taken', agentId: known.agentId }
  return { sessionId, outcome: known.deleted ? 'revive' : 'attach' }
}
