import { askersIn } from '#lib/engine/calls/askers.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** A session, and the only person who asked for its current work. `userId` is absent if that is not one person. */
export type SessionOrigin = { sessionId: string; userId?: string }

/** Returns the origin of a call to a plugin (docs/plugins-grpc.md#call-metadata). */
export async function sessionOrigin(ctx: Ctx, sessionKey: number): Promise<SessionOrigin> {
  const [row] = await ctx.sql<{ sessionId: string; userId: string | null }[]>`
    select id as session_id, (
      select case when count(distinct asker.id) = 1 then min(asker.id) end
      from (${askersIn(ctx, { sessionKey })}) asker
    ) as user_id from sessions where key = ${sessionKey}`
  const { sessionId = '', userId = null } = row ?? {}
  return { sessionId, ...(userId === null ? {} : { userId }) }
}
