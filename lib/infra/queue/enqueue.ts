import type { Ctx } from '#lib/kernel/ctx.ts'

/** Every job and what it carries. A job rings and keeps time; it holds no state, so one that is lost, doubled or
 * late costs latency, never correctness (docs/concepts/engine.md#jobs). */
export type Jobs = {
  wake: { sessionKey: number }
  deadline: { sessionKey: number; toolCallId: string }
  warn: { sessionKey: number; toolCallId: string }
  retry: { sessionKey: number; turnId: string }
  announce: { sessionKey: number; toolCallId: string }
  deliver: { deliveryId: string }
  poll: { attemptId: string }
  /** Looks whether out-of-band messages of this session have expired. */
  'expire-oob': { sessionKey: number }
  alarm: { alarmId: string }
  /** Looks whether a call to a sub-agent has the session that it is to have. */
  spawn: { sessionKey: number; toolCallId: string }
  /** Looks at a sub-agent's session, and tells the one above of it. */
  report: { sessionKey: number }
  /** Deletes what worked for lives of this session that are over. */
  orphans: { sessionKey: number }
}
export type JobName = keyof Jobs

/** The flag a process refuses while its runner is full, so that another one takes the wake. */
export const wakeFlag = 'wake'

/**
 * Adds a job inside the caller's transaction: to run at once, at a time (ISO 8601), or so many seconds from now by the
 * database's clock. With a `key`, a job of that key that is not running yet is replaced.
 * When graphile's `add_job` raced with that job being taken it inserts nothing and says so by NULL
 * (graphile/worker#580): then the job is added once more without a key.
 */
export async function enqueue<Name extends JobName>(
  ctx: Pick<Ctx, 'sql'>,
  job: Name,
  payload: Jobs[Name],
  { key, runAt, inSeconds }: { key?: string; runAt?: string; inSeconds?: number } = {}
): Promise<void> {
  const flags = job === 'wake' ? [wakeFlag] : null
  const at = ctx.sql`coalesce(${runAt ?? null}::timestamptz, clock_timestamp() + make_interval(secs => ${inSeconds ?? null}))`
  const [added] = await ctx.sql<{ id: string | null }[]>`
    select (graphile_worker.add_job(${job}, ${payload}::json, job_key := ${key ?? null}::text,
      run_at := ${at}, flags := ${flags}::text[])).id`
  if (added?.id !== null && added?.id !== undefined) return
  await ctx.sql`select graphile_worker.add_job(${job}, ${payload}::json, run_at := ${at}, flags := ${flags}::text[])`
}
