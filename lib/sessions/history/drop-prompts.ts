import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Drops the prompts that were kept of the step `from` (its entry in the context) and of all that came after it: what was said
 * there is in each of them. The head is locked, and whoever calls it counts a cut (`context_cuts`).
 */
export async function dropPrompts({ sql }: Ctx, sessionKey: number, from = 0): Promise<void> {
  await sql`
    with gone as (delete from prompts where session_key = ${sessionKey} and id >= ${from})
    delete from prompt_parts p where session_key = ${sessionKey} and not exists (
      select from prompts q
      where q.session_key = ${sessionKey} and q.id < ${from} and p.digest in (q.instructions, q.tools))`
}
