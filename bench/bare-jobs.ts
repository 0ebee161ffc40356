import { Logger, run, runMigrations } from 'graphile-worker'
import { Pool } from 'pg'
import { connect } from '#db/client.ts'
import { now } from './machine.ts'

/** graphile-worker alone, without the engine. */
export type BareJobs = AsyncDisposable & {
  /**
   * Adds a job. Returns the times when `add_job` was called, when the job was committed, and when its handler was
   * called.
   */
  once(): Promise<{ began: number; added: number; called: number }>
}

/**
 * Opens the baseline for wake-ups: one `add_job` and one handler that does nothing, with the settings of
 * `infra/queue/worker.ts`. It uses its own database in the same Postgres, so that its notifications do not wake the
 * engine's workers and slow them down.
 */
export async function openBareJobs(url: string): Promise<BareJobs> {
  await runMigrations({ connectionString: url })
  const sql = connect(url, { max: 4 })
  const pool = new Pool({ connectionString: url, max: 12 })
  const ignore = () => {}
  pool.on('error', ignore).on('connect', client => client.on('error', ignore))
  let called: (time: number) => void = () => {}
  const runner = await run({
    pgPool: pool,
    concurrency: 12,
    pollInterval: 250,
    noHandleSignals: true,
    taskList: { bare: async () => called(now()) },
    logger: new Logger(() => () => {})
  })
  return {
    async once() {
      const handled = new Promise<number>(resolve => (called = resolve))
      const began = now()
      await sql`select graphile_worker.add_job('bare', '{}'::json)`
      const added = now()
      return { began, added, called: await handled }
    },
    async [Symbol.asyncDispose]() {
      await runner.stop()
      await pool.end()
      await sql.end()
    }
  }
}
