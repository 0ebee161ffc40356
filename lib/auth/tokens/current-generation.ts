import { expired, notFound } from '@waystation/base/api-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the current generation of a session. Throws `NOT_FOUND` if it is unknown, deleted or in another workspace,
 * and `EXPIRED` if its retention is over.
 */
export async function currentGeneration(
  ctx: Ctx,
  sessionId: string
): Promise<{ sessionKey: number; generation: number }> {
  const [row] = await ctx.sql<
    { sessionKey: number; generation: number; gone: boolean; expired: boolean | null }[]
  >`
    select h.session_key, h.generation, s.deleted_at is not null as gone,
      s.expired_at = s.deleted_at as expired
    from sessions s join heads h on h.session_key = s.key
    where s.workspace_id = ${ctx.workspaceId} and s.id = ${sessionId}`
  if (row?.gone && row.expired) throw expired(sessionId)
  if (row === undefined || row.gone) throw notFound('session', sessionId)
  return { sessionKey: row.sessionKey, generation: row.generation }
}
