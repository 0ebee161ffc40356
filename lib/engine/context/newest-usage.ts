import type { Ctx } from '#lib/kernel/ctx.ts'

/** Maximum number of entries to search, so that the cost of a step does not grow with its session. */
const maxEntries = 16

/**
 * Returns a column of `sessions s`: the prompt sizes of the newest steps, newest first, as a JSON array of
 * `PromptUsage`.
 */
export const newestUsage = ({ sql }: Ctx) => sql`
  (select coalesce(json_agg(u.usage order by u.id desc), '[]') from (
    select id, usage from context where session_key = s.key order by id desc limit ${maxEntries}) u
    where u.usage is not null)`
