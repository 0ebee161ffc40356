import type { ListOobEdges, OobEdges } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type RecentOobRow, recentOob, senderAndReceiver } from './recent-messages.ts'

const maxEdges = 200

/**
 * Returns which senders sent out-of-band messages to which sessions, how often, and the last message
 * (004-17). Newest first, at most 200.
 */
export async function listOobEdges(ctx: Ctx, { hours }: ListOobEdges): Promise<OobEdges> {
  const messages = recentOob(ctx, hours)
  const rows = await ctx.sql<(RecentOobRow & { count: number })[]>`
    with edges as (
      select session_key, from_key, source, source_id, count(*)::int as count, max(queued_at) as at
      from ${messages} group by 1, 2, 3, 4 order by at desc limit ${maxEdges + 1}
    )
    select last.*, edges.count from edges cross join lateral (
      select * from ${messages}
      where session_key = edges.session_key and from_key is not distinct from edges.from_key and source = edges.source
        and source_id = edges.source_id and queued_at = edges.at
      order by id desc limit 1
    ) last order by last.queued_at desc, last.id desc`
  return {
    edges: rows.slice(0, maxEdges).map(row => {
      const { id, priority, status, effect, count } = row
      const content = row.content.slice(0, 200).toWellFormed()
      const { sessionId, timestamp, queuedAt } = wireOob(row)
      const last = { id, sessionId, timestamp, priority, status, content, queuedAt }
      return { ...senderAndReceiver(row), count, last: effect === null ? last : { ...last, effect } }
    }),
    more: rows.length > maxEdges
  }
}
