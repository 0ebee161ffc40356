import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'

/** Sessions per run: a minute's work, each in a transaction of its own. */
const batch = 500

/**
 * Removes the sessions in which nothing has happened for as long as their workspace keeps sessions (at least a day, so that
 * no key is forgotten before its time). Not one with an open call, or a turn, a retry or a delivery under way: what is
 * waited for is kept, and each of these has an end of its own. Nor one with an alarm that is still to go off. Every minute, session by session, the oldest first.
 */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const due = await ctx.sql<{ key: number }[]>`
    select s.key from workspaces w cross join lateral (
      select s.key, s.active_at from sessions s where s.workspace_id = w.id and ${isOver(ctx)}
      order by s.active_at limit ${batch}
    ) s where w.retention_days is not null order by s.active_at limit ${batch}`
  for (const { key } of due) await expireSession(ctx, key)
}

/** Judged again under the lock: somebody may have written meanwhile, or chosen another retention. */
async function expireSession(ctx: Ctx, key: number): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, key)
    if (head === undefined) return
    const [over] = await tx.sql`
      select from sessions s join workspaces w on w.id = s.workspace_id where s.key = ${key} and ${isOver(tx)}`
    if (over !== undefined) await purgeGeneration(tx, head, 'expired')
  })
}

/**
 * Of a session `s` in a workspace `w`. Its list's time moves with what is said; the newest event's also with everything else
 * that happens, as when somebody answers a call and nothing comes of it.
 */
const isOver = ({ sql }: Ctx) => sql`
  s.deleted_at is null and s.retry_at is null
  and s.active_at < clock_timestamp() - make_interval(days => w.retention_days)
  and not exists (
    select from heads h left join events e on e.session_key = h.session_key and e.seq = h.seq
    where h.session_key = s.key and (h.owner is not null or h.turn_id is not null or h.has_work > 0
      or e.at >= clock_timestamp() - make_interval(days => w.retention_days)))
  and not exists (select from calls c where c.session_key = s.key and c.state = 'open' and c.kind <> 'server')
  and not exists (select from alarms a where a.session_key = s.key and a.state = 'open' and a.next_at > clock_timestamp())
  and not exists (select from deliveries d where d.session_key = s.key and d.state = 'pending')`
