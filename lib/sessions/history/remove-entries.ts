import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { dropPrompts } from './drop-prompts.ts'

/**
 * Removes messages from the model's context, with their steps, calls, late answers and the notes in between. A late
 * answer to a remaining call stays, so every result has its call and every call its result. If the context window
 * started after a removed entry, it starts at the beginning, without the summary, which includes removed content. The
 * stored prompts that contain removed entries are deleted. Needs the session's lock.
 */
export async function removeEntries(
  ctx: Ctx,
  session: LockedSession,
  messageIds: readonly string[]
): Promise<void> {
  const key = session.sessionKey
  const ids = messageIds as string[]
  const [range] = await ctx.sql<{ first: number | null; next: number | null }[]>`
    with range as (select min(id) as first from context where session_key = ${key} and message_id = any(${ids}))
    select first, (
      select min(id) from context
      where session_key = ${key} and kind = 'user' and id > first and message_id <> all(${ids})) as next
    from range`
  const removed = await ctx.sql<{ id: number; tokens: number }[]>`
    delete from context where session_key = ${key} and (
      message_id = any(${ids})
      or tool_call_id in (select tool_call_id from calls where session_key = ${key} and message_id = any(${ids}))
      or (kind = 'note' and id > ${range?.first ?? null}::bigint and (${range?.next ?? null}::bigint is null or id < ${range?.next ?? null})))
    returning id, tokens`
  if (removed.length === 0) return
  const [first] = removed.map(({ id }) => id).sort((a, b) => a - b)
  await dropPrompts(ctx, key, first)
  await ctx.sql`
    update sessions set context_cuts = context_cuts + 1,
      context_tokens = case when context_start < ${first as number}
        then context_tokens - ${removed.reduce((sum, { tokens }) => sum + tokens, 0)}
        else (select coalesce(sum(tokens), 0) from context where session_key = ${key}) end,
      summary = case when context_start < ${first as number} then summary else '' end,
      context_start = case when context_start < ${first as number} then context_start else 0 end
    where key = ${key}`
}
