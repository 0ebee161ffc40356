import type { Ctx } from '#lib/kernel/ctx.ts'

/** How far back is looked: what a step costs does not grow with its session. */
const entries = 32

/** What the newest steps of a session came to, newest first: a column of `sessions s` (JSON). */
export const newestUsage = ({ sql }: Ctx) => sql`
  (select coalesce(json_agg(u.usage order by u.id desc), '[]') from (
    select id, usage from context where session_key = s.key order by id desc limit ${entries}) u
    where u.usage is not null)`
