import type { Ctx } from '#lib/kernel/ctx.ts'

type Copy = {
  /** Keys of the two sessions. */
  from: number
  to: number
  /** Position of the first message that is not copied, or null to copy all. */
  until: number | null
}

/**
 * Copies a session's context entries into a branch, up to the first entry of a message that is not copied. The context
 * window starts at the same entry. If the copy ends before that entry, the window starts at the beginning and moves
 * once it is too large. Call `copyCalls` afterwards, which links the calls to their entries. Needs the locks of both
 * sessions.
 */
export async function copyEntries(ctx: Ctx, { from, to, until }: Copy): Promise<void> {
  const [bound] = await ctx.sql<{ end: number | null; before: number; beforeOob: number; all: number }[]>`
    with bound as (
      select min(c.id) as stop from context c join messages m on m.session_key = c.session_key and m.id = c.message_id
      where c.session_key = ${from} and ${until}::bigint is not null and m.pos >= ${until}
    )
    select bound.stop as "end", count(*) filter (where c.id <= s.context_start)::int as before,
      count(*) filter (where c.id <= s.oob_start)::int as before_oob, count(c.id)::int as all
    from bound cross join sessions s
      left join context c on c.session_key = s.key and (bound.stop is null or c.id < bound.stop)
    where s.key = ${from} group by bound.stop`
  const { end = null, before = 0, beforeOob = 0, all = 0 } = bound ?? {}
  await ctx.sql`
    insert into context (session_key, kind, turn_id, message_id, tool_call_id, payload, tokens, result_tokens, usage)
    select ${to}, kind, turn_id, message_id, tool_call_id, payload, tokens, result_tokens, usage
    from context
    where session_key = ${from} and (${end}::bigint is null or id < ${end}) order by id`
  const start = before < all ? before : 0
  await ctx.sql`
    with copied as (
      select id, tokens, row_number() over (order by id) as n from context where session_key = ${to}
    )
    update sessions b set context_tokens = (select coalesce(sum(tokens), 0) from copied where n > ${start}),
      context_start = coalesce((select id from copied where n = ${start}), 0),
      oob_start = coalesce((select id from copied where n = ${beforeOob}), 0),
      summary = case when ${start} > 0 then o.summary else '' end
    from sessions o where o.key = ${from} and b.key = ${to}`
}
