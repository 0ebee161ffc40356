import type { Pool } from 'pg'

/** How often a process looks that the next minute's jobs are there. Milliseconds. */
export const lookMs = 15_000

/**
 * Adds each of these jobs for the next full minute, unless it is waiting already: by the database's clock, however many
 * processes ask. graphile's own crontab goes by the process's clock and keeps the latest time that any process
 * believed it was: one whose clock is hours ahead would stop it for everybody for as long.
 *
 * Each by a statement of its own: graphile names all its tasks in one when it starts, in an order of its own, and two that
 * hold some and wait for others would be a deadlock.
 */
export async function addMinuteJobs(pool: Pool, names: readonly string[]): Promise<void> {
  for (const name of names)
    await pool.query(
      `select graphile_worker.add_job($1, job_key := $1, job_key_mode := 'preserve_run_at',
        run_at := date_trunc('minute', clock_timestamp()) + interval '1 minute')`,
      [name]
    )
}
