import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ListOobEdges, OobEdges } from '#lib/protocol/out-of-band/oob-edge.ts'
import { endsOf, type ToldRow, toldWithin } from './out-of-band-of-step.ts'

const most = 200

/** Who told whom out of band in the workspace, how often, and what last (004-17); the newest 200. */
export async function listOobEdges(ctx: Ctx, { hours }: ListOobEdges): Promise<OobEdges> {
  const told = toldWithin(ctx, hours)
  const rows = await ctx.sql<(ToldRow & { count: number })[]>`
    with edges as (
      select session_key, from_key, source, source_id, count(*)::int as count, max(queued_at) as at
      from ${told} group by 1, 2, 3, 4 order by at desc limit ${most + 1}
    )
    select last.*, edges.count from edges cross join lateral (
      select * from ${told}
      where session_key = edges.session_key and from_key is not distinct from edges.from_key and source = edges.source
        and source_id = edges.source_id and queued_at = edges.at
      order by id desc limit 1
    ) last order by last.queued_at desc, last.id desc`
  return {
    edges: rows.slice(0, most).map(row => {
      const { id, priority, status, effect, count } = row
      const content = row.content.slice(0, 200).toWellFormed()
      const last = { id, priority, status, content, queuedAt: row.queuedAt }
      return { ...endsOf(row), count, last: effect === null ? last : { ...last, effect } }
    }),
    more: rows.length > most
  }
}
