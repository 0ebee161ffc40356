import { Logger, run, runMigrations } from 'graphile-worker'
import { Pool } from 'pg'
import { connect } from '#db/client.ts'
import { now } from './machine.ts'

/** graphile-worker with nothing around it. */
export type BareJobs = AsyncDisposable & {
  /** Adds a job; gives the times when that began, when it was added (committed) and when its handler was called. */
  once(): Promise<{ began: number; added: number; called: number }>
}

/**
 * The bare limit of a wake: one `add_job`, one handler that does nothing, with the settings of `infra/queue/worker.ts`. In a
 * database of its own on the same Postgres, so that its bell wakes nobody of the engine (that would slow it down).
 */
export async function openBareJobs(url: string): Promise<BareJobs> {
  await runMigrations({ connectionString: url })
  const sql = connect(url, { max: 4 })
  const pool = new Pool({ connectionString: url, max: 12 })
  const broke = () => {}
  pool.on('error', broke).on('connect', client => client.on('error', broke))
  let called: (at: number) => void = () => {}
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
      const heard = new Promise<number>(resolve => (called = resolve))
      const began = now()
      await sql`select graphile_worker.add_job('bare', '{}'::json)`
      const added = now()
      return { began, added, called: await heard }
    },
    async [Symbol.asyncDispose]() {
      await runner.stop()
      await pool.end()
      await sql.end()
    }
  }
}
