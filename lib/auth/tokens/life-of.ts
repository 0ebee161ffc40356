import type { Ctx } from '#lib/kernel/ctx.ts'
import { expired, notFound } from '#lib/kernel/refusal.ts'

/**
 * The life that a session of the caller's workspace lives now. Unknown, deleted or another workspace's: `NOT_FOUND`; past
 * retention: `EXPIRED`.
 */
export async function lifeOf(
  ctx: Ctx,
  sessionId: string
): Promise<{ sessionKey: number; generation: number }> {
  const [life] = await ctx.sql<
    { sessionKey: number; generation: number; gone: boolean; expired: boolean | null }[]
  >`
    select h.session_key, h.generation, s.deleted_at is not null as gone,
      s.expired_at = s.deleted_at as expired
    from sessions s join heads h on h.session_key = s.key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId}`
  if (life?.gone && life.expired) throw expired(sessionId)
  if (life === undefined || life.gone) throw notFound('session', sessionId)
  return { sessionKey: life.sessionKey, generation: life.generation }
}
