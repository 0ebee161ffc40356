import type { Pool } from 'pg'

/** How often a process checks that the jobs of the next minute exist, in milliseconds. */
export const lookMs = 15_000

/**
 * Adds each of these jobs for the next full minute by the database's clock, unless it is already pending. Any
 * number of processes can do this. It replaces graphile's crontab, which uses the process's clock and stores
 * the latest time that any process reported. A process whose clock is hours ahead would therefore stop it for
 * everyone for that long.
 *
 * Each job has its own statement. At its start, graphile names all its tasks in one statement, in its own
 * order. A second such statement could deadlock with it.
 */
export async function addMinuteJobs(pool: Pool, names: readonly string[]): Promise<void> {
  for (const name of names)
    await pool.query(
      `select graphile_worker.add_job($1, job_key := $1, job_key_mode := 'preserve_run_at',
        run_at := date_trunc('minute', clock_timestamp()) + interval '1 minute')`,
      [name]
    )
}
