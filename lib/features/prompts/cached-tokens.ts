import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns columns of `prompts p`: the tokens that the provider read from and wrote to its cache. They are stored with the
 * step, whose entry has the same ID. A failed step has none.
 */
export const cachedTokens = ({ sql }: Ctx) => sql`
  coalesce((select (c.usage ->> 'cacheRead')::int from context c
    where c.session_key = p.session_key and c.id = p.id), 0) as cache_read,
  coalesce((select (c.usage ->> 'cacheWrite')::int from context c
    where c.session_key = p.session_key and c.id = p.id), 0) as cache_write`
