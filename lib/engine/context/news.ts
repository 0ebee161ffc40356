import type { Ctx } from '#lib/kernel/ctx.ts'
import { sinceAsked } from './since-asked.ts'

/**
 * As a subquery, what a session's agent was told out of band since somebody last wrote to it, and with that message: what it
 * is at work for beside it, however often it has parked meanwhile. Its rows are those of `out_of_band`.
 */
export const newsOf = (ctx: Ctx, sessionKey: number) => ctx.sql`
  select o.* from context c join out_of_band o on o.id = c.payload ->> 'id'
  where c.session_key = ${sessionKey} and c.kind = 'oob' and c.id >= (${sinceAsked(ctx, sessionKey)})`
