import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'

/** The life that a session of the caller's workspace lives now. Unknown, deleted or another workspace's: `NOT_FOUND`. */
export async function lifeOf(
  ctx: Ctx,
  sessionId: string
): Promise<{ sessionKey: number; generation: number }> {
  const [life] = await ctx.sql<{ sessionKey: number; generation: number }[]>`
    select h.session_key as "sessionKey", h.generation from sessions s join heads h on h.session_key = s.key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId} and s.deleted_at is null`
  if (life === undefined) throw notFound('session', sessionId)
  return life
}
