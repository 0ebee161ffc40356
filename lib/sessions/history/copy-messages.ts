import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Copies a session's messages into a branch, up to a position (null copies all), in one statement. Each message gets an
 * event that shows it. Queued messages are not copied. Needs the locks of both sessions.
 *
 * @returns the ID of the last message
 */
export async function copyMessages(
  ctx: Ctx,
  branch: LockedSession,
  { from, until }: { from: number; until: number | null }
): Promise<string | null> {
  const [copied] = await ctx.sql<{ count: number; last: string | null }[]>`
    with source as (
      select id, role, message, sender, ${branch.seq}::bigint + row_number() over (order by pos) as pos from messages
      where session_key = ${from} and (${until}::bigint is null or pos < ${until})
        and not message -> 'metadata' ? 'queued'
    ), said as (
      insert into messages (session_key, id, pos, role, message, sender, folded_seq, done, done_at, compacted_at)
      select ${branch.sessionKey}, id, pos, role, message, sender, pos, true, clock_timestamp(), clock_timestamp() from source
    ), shown as (
      insert into events (session_key, seq, type, message_id, payload, at)
      select ${branch.sessionKey}, pos, 'message', id, json_build_object('message', message), clock_timestamp() from source
    ), moved as (
      update heads set seq = seq + (select count(*) from source) where session_key = ${branch.sessionKey}
    )
    select count(*)::int as count, (array_agg(id order by pos desc))[1] as last from source`
  branch.seq += copied?.count ?? 0
  return copied?.last ?? null
}
