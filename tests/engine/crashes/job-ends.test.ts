import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

test('a connection that is lost while the end of a job is written does not end the process, and the end is written again', async () => {
  const database = await createDatabase()
  const sql = postgres(database.url, { max: 3 })
  const noop = async () => undefined
  const [claimed, locked] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const handlers = {
    async wake({ sessionKey }: { sessionKey: number }) {
      claimed.resolve(sessionKey)
      await locked.promise
    },
    deadline: noop,
    warn: noop,
    retry: noop,
    announce: noop,
    deliver: noop,
    poll: noop,
    'expire-oob': noop,
    alarm: noop,
    spawn: noop,
    report: noop,
    orphans: noop
  }
  const worker = await startWorker(database.url, handlers, {}, () => false)
  onTestFinished(async () => {
    await worker.stop()
    await sql.end()
    await database.drop()
  })

  await sql`select graphile_worker.add_job('wake', '{"sessionKey": 7}')`
  expect(await claimed.promise).toBe(7)
  // The end of a job deletes its row, and waits for the lock on that row.
  const writers = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'waystation-jobs' and datname = current_database()
      and wait_event_type = 'Lock' and query like '%delete from%'`
  await sql.begin(async tx => {
    await tx`select from graphile_worker._private_jobs for update`
    locked.resolve()
    await expect.poll(async () => (await writers()).length, { timeout: 60_000 }).toBe(1)
    await sql`select pg_terminate_backend(${(await writers())[0]?.pid ?? 0})`
  })
  await expect
    .poll(async () => (await sql`select from graphile_worker._private_jobs`).length, { timeout: 60_000 })
    .toBe(0)
}, 180_000)
