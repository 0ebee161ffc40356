import type { CapScope, SpendCaps } from '@waystation/protocol/call/spending.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type Row = {
  scope: CapScope
  about: string
  period: string
  level: number
  most: number
  spent: number
  granted: number
  secondsLeft: number
}

/** Tolerance for sums of floating-point numbers, in USD: within a millionth of a cent, a cap is reached. */
const tolerance = 1e-8

/**
 * Returns the widest cap that this session has reached, by the database's clock: the workspace's, its end
 * user's, or its own with its sub-agents. Without caps it runs no query. Otherwise it runs one statement that
 * reads a few rows by index, and for the workspace's cap one row per session and day of the month.
 */
export async function reachedCap(
  ctx: Ctx,
  session: { sessionKey: number; workspaceId: string },
  { sessionPerDay, subjectPerDay, workspacePerMonth }: SpendCaps
): Promise<ReachedCap | undefined> {
  const caps = [workspacePerMonth, subjectPerDay, sessionPerDay].map(cap => cap ?? null)
  if (caps.every(cap => cap === null)) return undefined
  const [ofWorkspace, ofSubject, ofSession] = caps as [number | null, number | null, number | null]
  const { sessionKey, workspaceId } = session
  const [row] = await ctx.sql<Row[]>`
    with today as (
      select clock_timestamp() at time zone 'UTC' as now, (clock_timestamp() at time zone 'UTC')::date as day
    ), caps (scope, wide, about, most, period, ends) as (
      select 'workspace', 3, '', ${ofWorkspace}::float8, date_trunc('month', now)::date,
        (date_trunc('month', now) + interval '1 month')::date from today
      union all
      select 'subject', 2, subject, ${ofSubject}::float8, day, day + 1 from today, sessions
      where key = ${sessionKey} and subject is not null
      union all
      select 'session', 1, coalesce(root_key, key)::text, ${ofSession}::float8, day, day + 1 from today, sessions
      where key = ${sessionKey}
    )
    select scope, about, most, to_char(period, 'YYYY-MM-DD') as period, spent, granted, level,
      extract(epoch from ends - (select now from today))::float8 as seconds_left
    from caps c cross join lateral (
      select coalesce(case scope
        when 'workspace' then (
          select sum(usd) from spending where workspace_id = ${workspaceId} and day >= period and day < ends)
        when 'subject' then (
          select sum(usd) from spending where workspace_id = ${workspaceId} and subject = about and day = period)
        else (
          select sum(usd) from spending where workspace_id = ${workspaceId} and session_key = about::bigint and day = period)
      end, 0) as spent
    ) s cross join lateral (
      select coalesce(sum(usd), 0) as granted, count(*)::int as level from spend_grants g
      where g.workspace_id = ${workspaceId} and g.scope = c.scope and g.about = c.about and g.period = c.period
    ) g
    where most is not null and spent >= most + granted - ${tolerance}::float8
    order by wide desc limit 1`
  return row && toReachedCap(row)
}

/**
 * Asks for enough that one yes suffices. After a lowered cap or an expensive step, that can be several times
 * the cap.
 */
function toReachedCap({ scope, about, period, level, most, spent, granted, secondsLeft }: Row): ReachedCap {
  const allowed = most + granted
  const usd = most * (Math.floor((spent - allowed + tolerance) / most) + 1)
  const subject = scope === 'subject' ? about : null
  return { cap: { scope, about, period, level, usd }, spent, allowed, secondsLeft, subject }
}
