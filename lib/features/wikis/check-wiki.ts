import type { Ctx } from '#lib/kernel/ctx.ts'
import { wikiReader } from './wiki-reader.ts'

/** How long a check can take, in ms, and how many errors it returns at most. */
const limits = { ms: 10_000, errors: 500 }

/** Renders the pages of a wiki, as many as the limits allow, and returns their errors. */
export async function checkWiki(ctx: Ctx, wiki: string) {
  const reader = wikiReader(ctx, undefined)
  const until = Date.now() + limits.ms
  let result = await reader.errors({ wiki, offset: 0 })
  while (result.nextOffset !== null && result.errors.length < limits.errors && Date.now() < until) {
    const next = await reader.errors({ wiki, offset: result.nextOffset })
    result = {
      ...next,
      errors: [...result.errors, ...next.errors],
      checked: result.checked + next.checked
    }
  }
  return result
}
