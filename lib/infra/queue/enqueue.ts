import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * All jobs with their payloads. A job only wakes a session or checks a time, and stores no state. A lost,
 * duplicate or late job therefore costs latency, never correctness (docs/concepts/engine.md#jobs).
 */
export type Jobs = {
  wake: { sessionKey: number }
  deadline: { sessionKey: number; toolCallId: string }
  warn: { sessionKey: number; toolCallId: string }
  retry: { sessionKey: number; turnId: string }
  announce: { sessionKey: number; toolCallId: string }
  deliver: { deliveryId: string }
  poll: { attemptId: string }
  /** Expires out-of-band messages of this session. */
  'expire-oob': { sessionKey: number }
  alarm: { alarmId: string }
  /** Checks whether a sub-agent call has its session. */
  spawn: { sessionKey: number; toolCallId: string }
  /** Checks a sub-agent's session and reports to its parent. */
  report: { sessionKey: number }
  /** Deletes the sub-agents of earlier generations of this session. */
  orphans: { sessionKey: number }
}
export type JobName = keyof Jobs

/**
 * The flag of wake jobs. A process whose runner is full does not take jobs with it, so that another process
 * does.
 */
export const wakeFlag = 'wake'

/**
 * Adds a job in the caller's transaction. It runs at once, at a time (ISO 8601), or after a number of seconds
 * by the database's clock. With a `key`, it replaces a job with the same key that is not running yet. If that
 * job is being taken at the same moment, graphile's `add_job` inserts nothing and returns NULL
 * (graphile/worker#580). The job is then added without a key, by the same statement, because the commit may follow it
 * at once.
 */
export async function enqueue<Name extends JobName>(
  ctx: Pick<Ctx, 'sql'>,
  job: Name,
  payload: Jobs[Name],
  { key, runAt, inSeconds }: { key?: string; runAt?: string; inSeconds?: number } = {}
): Promise<void> {
  const flags = job === 'wake' ? [wakeFlag] : null
  const at = ctx.sql`coalesce(${runAt ?? null}::timestamptz, clock_timestamp() + make_interval(secs => ${inSeconds ?? null}))`
  await ctx.sql`
    select coalesce(
      (graphile_worker.add_job(${job}, ${payload}::json, job_key := ${key ?? null}::text, run_at := ${at}, flags := ${flags}::text[])).id,
      (graphile_worker.add_job(${job}, ${payload}::json, run_at := ${at}, flags := ${flags}::text[])).id)`
}
