import type { Pool } from '#db/client.ts'
import { inTransaction, unchanged } from '#db/transaction.ts'

/**
 * Metrics of the whole server, the same in each process. Reading them from the database takes a few
 * milliseconds, by indexes.
 */
export type Figures = {
  openCalls: { kind: string; count: number }[]
  /** Null if no call is open. */
  oldestCallSeconds: number | null
  /** Sessions with work but without an owner, and how long the longest has been waiting. */
  owed: number
  wakeLagSeconds: number
  /** Sessions whose owner is dead and whose lease is not released yet. */
  lostOwners: number
  turnsRunning: number
  workersAlive: number
  deliveriesPending: number
  /** Deliveries that failed for good. */
  deadLetters: number
}

/**
 * Reads the metrics. A session's lag starts at its newest inbox item, because older ones may have waited for
 * something else. A session that was just released from a dead owner can have work without an inbox item: it is
 * included in `owed` and has no lag. Throws if the database cannot be read within `milliseconds`.
 */
export async function readFigures(
  sql: Pool,
  deadAfterSeconds: number,
  milliseconds: number
): Promise<Figures> {
  return inTransaction({ sql }, async ({ sql: tx }) => {
    await tx`select set_config('statement_timeout', ${String(milliseconds)}, true)`
    const openCalls = await tx<{ kind: string; count: number; oldest: number }[]>`
      select kind, count(*) as count, extract(epoch from clock_timestamp() - min(since))::float8 as oldest
      from calls where state = 'open' and kind <> 'server' group by kind order by kind`
    const [rest] = await tx<Omit<Figures, 'openCalls' | 'oldestCallSeconds'>[]>`
      with alive as materialized (
        select id from workers where heartbeat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})
      ), owned as materialized (
        select turn_id, exists (select from alive where id = owner) as alive from heads where owner is not null
      ), owing as materialized (
        select (select max(created_at) from inbox i where i.session_key = h.session_key and consumed_at is null) as since
        from heads h where has_work > 0 and owner is null
      )
      select (select count(*) from owing)::int as owed,
        coalesce((select extract(epoch from clock_timestamp() - min(since)) from owing), 0)::float8 as wake_lag_seconds,
        (select count(*) from owned where not alive)::int as lost_owners,
        (select count(*) from owned where alive and turn_id is not null)::int as turns_running,
        (select count(*) from alive)::int as workers_alive,
        (select count(*) from deliveries where state = 'pending')::int as deliveries_pending,
        (select count(*) from deliveries where state = 'failed')::int as dead_letters`
    if (rest === undefined) throw new Error('The database returned no metrics.')
    return unchanged({
      ...rest,
      openCalls: openCalls.map(({ kind, count }) => ({ kind, count })),
      oldestCallSeconds: openCalls.length === 0 ? null : Math.max(...openCalls.map(({ oldest }) => oldest))
    })
  })
}
