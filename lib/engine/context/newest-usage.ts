import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns a column of `sessions s`: the prompt sizes of the newest steps, newest first, as a JSON array of
 * `PromptUsage`. It searches at most 16 entries, so that the cost of a step does not grow with its session. As
 * a parameter, this number would make Postgres plan the query again at every step.
 */
export const newestUsage = ({ sql }: Ctx) => sql`
  (select coalesce(json_agg(u.usage order by u.id desc), '[]') from (
    select id, usage from context where session_key = s.key order by id desc limit 16) u
    where u.usage is not null)`
