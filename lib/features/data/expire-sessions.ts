import { inTransaction } from '#db/transaction.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { purgeGeneration } from '#lib/sessions/purge-session.ts'

/** Sessions per run, each in its own transaction. They take about a minute. */
const batch = 500

/** Days without activity after which a trial is deleted, and days after its creation. Alarms can keep it active. */
const trialDays = 7
const maxTrialDays = 30

/**
 * Deletes sessions that have been inactive for longer than their workspace's retention period (at least one
 * day, so that no idempotency key is forgotten too early). Sessions with an open call, a turn, a retry, a
 * pending delivery or a future alarm remain. Deletes trials after their own period, in which only a turn and a
 * delivery count. Runs every minute, oldest sessions first.
 */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const due = await ctx.sql<{ key: number }[]>`
    select s.key from workspaces w cross join lateral (
      select s.key, s.active_at from sessions s where s.workspace_id = w.id and ${isExpired(ctx)}
      order by s.active_at limit ${batch}
    ) s where w.retention_days is not null order by s.active_at limit ${batch}`
  const trials = await ctx.sql<{ key: number }[]>`
    select s.key from sessions s where ${isOldTrial(ctx)} order by s.active_at limit ${batch}`
  for (const { key } of [...due, ...trials]) await expireSession(ctx, key)
}

/** Checks again under the lock: a user may have written meanwhile, or the retention period may have changed. */
async function expireSession(ctx: Ctx, key: number): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, key)
    if (session === undefined) return
    const [expired] = await tx.sql`
      select from sessions s join workspaces w on w.id = s.workspace_id
      where s.key = ${key} and (${isExpired(tx)} or ${isOldTrial(tx)})`
    if (expired !== undefined) await purgeGeneration(tx, session, 'expired')
  })
}

/**
 * Returns the SQL condition for session `s` in workspace `w`. `active_at` changes only with messages. The
 * newest event also covers other activity, such as an answered call that started no turn.
 */
const isExpired = ({ sql }: Ctx) => sql`
  s.deleted_at is null and s.retry_at is null
  and s.active_at < clock_timestamp() - make_interval(days => w.retention_days)
  and not exists (
    select from heads h left join events e on e.session_key = h.session_key and e.seq = h.seq
    where h.session_key = s.key and (h.owner is not null or h.turn_id is not null or h.has_work > 0
      or e.at >= clock_timestamp() - make_interval(days => w.retention_days)))
  and not exists (select from calls c where c.session_key = s.key and c.result is null and c.state = 'open' and c.kind <> 'server')
  and not exists (select from alarms a where a.session_key = s.key and a.state = 'open' and a.next_at > clock_timestamp())
  and not exists (select from deliveries d where d.session_key = s.key and d.state = 'pending')`

/** Returns the SQL condition for a trial `s` that was not used for a week, or that is a month old. */
const isOldTrial = ({ sql }: Ctx) => sql`
  s.trial and s.deleted_at is null and s.retry_at is null
  and (s.active_at < clock_timestamp() - make_interval(days => ${trialDays})
    or s.created_at < clock_timestamp() - make_interval(days => ${maxTrialDays}))
  and not exists (
    select from heads h where h.session_key = s.key and (h.owner is not null or h.turn_id is not null or h.has_work > 0))
  and not exists (select from deliveries d where d.session_key = s.key and d.state = 'pending')`
