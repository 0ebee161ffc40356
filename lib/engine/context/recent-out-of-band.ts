import type { Ctx } from '#lib/kernel/ctx.ts'
import { newestInputStart } from './newest-input.ts'

/**
 * Returns a subquery of the `out_of_band` rows that the agent received together with the newest user message
 * or later.
 */
export const recentOutOfBand = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select o.* from context c join out_of_band o on o.id = c.payload ->> 'id'
  where c.session_key = ${sessionKey} and c.kind = 'oob' and c.id >= (${newestInputStart(ctx, sessionKey)})`
