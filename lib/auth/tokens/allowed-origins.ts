import { batchLookup } from '#lib/auth/workspaces/batch-lookup.ts'
import { runtime } from '#lib/kernel/runtime.ts'

const findAllowed = batchLookup<{ workspaceId: string; origin: string }, boolean>(async pages => {
  const requested = pages.map((page, n) => ({ n, ...page }))
  const rows = await runtime().sql<{ n: number }[]>`
    select asked.n from json_to_recordset(${requested}::json) as asked(n int, "workspaceId" text, origin text)
    join workspaces w on w.id = asked."workspaceId" and w.allowed_origins @> to_jsonb(asked.origin)`
  const allowed = new Set(rows.map(({ n }) => n))
  return pages.map((_, n) => allowed.has(n))
})

/** Returns whether this workspace allows pages of this origin to use its session tokens. */
export const allowsOrigin = (workspaceId: string, origin: string): Promise<boolean> =>
  findAllowed({ workspaceId, origin })

/**
 * Returns whether any workspace allows this origin. It is all that a preflight can check, because it carries no token.
 */
export const anyAllowsOrigin = async (origin: string): Promise<boolean> => {
  const rows = await runtime().sql`
    select from workspaces where allowed_origins @> to_jsonb(${origin}::text) limit 1`
  return rows.length > 0
}
