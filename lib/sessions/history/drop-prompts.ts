import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Deletes the stored prompts of a step (`from`, its context entry) and of all later steps, because each contains
 * removed content. Needs the session's lock. The caller must increment `context_cuts`.
 */
export async function dropPrompts({ sql }: Ctx, sessionKey: number, from = 0): Promise<void> {
  await sql`
    with gone as (delete from prompts where session_key = ${sessionKey} and id >= ${from})
    delete from prompt_parts p where session_key = ${sessionKey} and not exists (
      select from prompts q
      where q.session_key = ${sessionKey} and q.id < ${from} and p.digest in (q.instructions, q.tools))`
}
