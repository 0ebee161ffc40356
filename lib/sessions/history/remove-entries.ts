import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { dropPrompts } from './drop-prompts.ts'

/**
 * Takes what stands for these messages out of the model's context: what was said, the steps with their calls, the late
 * answers to those calls wherever they stand, and the notes between them. The late answer to a call that stays is kept, so
 * no result is left without its call and no call without its result. A window that began behind something of it begins
 * anew, without a summary: what was summed up is not all there any more. The prompts go in which any of it was. The head is locked.
 */
export async function removeEntries(
  ctx: Ctx,
  head: LockedSession,
  messageIds: readonly string[]
): Promise<void> {
  const key = head.sessionKey
  const ids = messageIds as string[]
  const [range] = await ctx.sql<{ first: number | null; next: number | null }[]>`
    with range as (select min(id) as first from context where session_key = ${key} and message_id = any(${ids}))
    select first, (
      select min(id) from context
      where session_key = ${key} and kind = 'user' and id > first and message_id <> all(${ids})) as next
    from range`
  const gone = await ctx.sql<{ id: number; tokens: number }[]>`
    delete from context where session_key = ${key} and (
      message_id = any(${ids})
      or tool_call_id in (select tool_call_id from calls where session_key = ${key} and message_id = any(${ids}))
      or (kind = 'note' and id > ${range?.first ?? null}::bigint and (${range?.next ?? null}::bigint is null or id < ${range?.next ?? null})))
    returning id, tokens`
  if (gone.length === 0) return
  const [first] = gone.map(({ id }) => id).sort((a, b) => a - b)
  await dropPrompts(ctx, key, first)
  await ctx.sql`
    update sessions set context_cuts = context_cuts + 1,
      context_tokens = case when context_start < ${first as number}
        then context_tokens - ${gone.reduce((sum, { tokens }) => sum + tokens, 0)}
        else (select coalesce(sum(tokens), 0) from context where session_key = ${key}) end,
      summary = case when context_start < ${first as number} then summary else '' end,
      context_start = case when context_start < ${first as number} then context_start else 0 end
    where key = ${key}`
}
