import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns columns of `prompts p`: the tokens that the provider read from and wrote to its cache, the tokens that it
 * wrote, and the step's cost. They are stored with the step, whose entry has the same ID. A failed step has none.
 */
export const stepUsage = ({ sql }: Ctx) => {
  const value = (name: string, type: 'int' | 'float8') => sql`
    coalesce((select (c.usage ->> ${name})::${sql.unsafe(type)} from context c
      where c.session_key = p.session_key and c.id = p.id), 0)`
  return sql`${value('cacheRead', 'int')} as cache_read, ${value('cacheWrite', 'int')} as cache_write,
    ${value('output', 'int')} as output, ${value('usd', 'float8')} as usd`
}
