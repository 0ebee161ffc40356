import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { createDatabase } from '#tests/support/worlds/database.ts'

test('a connection that is lost while the end of a job is written takes no process along: the end is written again', async () => {
  const database = await createDatabase()
  const sql = postgres(database.url, { max: 3 })
  const nothing = async () => undefined
  const [taken, held] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const handlers = {
    async wake({ sessionKey }: { sessionKey: number }) {
      taken.resolve(sessionKey)
      await held.promise
    },
    deadline: nothing,
    warn: nothing,
    retry: nothing,
    announce: nothing,
    deliver: nothing,
    poll: nothing,
    'expire-oob': nothing,
    alarm: nothing,
    spawn: nothing,
    report: nothing,
    orphans: nothing
  }
  const worker = await startWorker(database.url, handlers, {}, () => false)
  onTestFinished(async () => {
    await worker.stop()
    await sql.end()
    await database.drop()
  })

  await sql`select graphile_worker.add_job('wake', '{"sessionKey": 7}')`
  expect(await taken.promise).toBe(7)
  // The end of a job is the removal of its row, which waits for whoever holds it.
  const writers = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'waystation-jobs' and datname = current_database()
      and wait_event_type = 'Lock' and query like '%delete from%'`
  await sql.begin(async tx => {
    await tx`select from graphile_worker._private_jobs for update`
    held.resolve()
    await expect.poll(async () => (await writers()).length, { timeout: 60_000 }).toBe(1)
    await sql`select pg_terminate_backend(${(await writers())[0]?.pid ?? 0})`
  })
  await expect
    .poll(async () => (await sql`select from graphile_worker._private_jobs`).length, { timeout: 60_000 })
    .toBe(0)
}, 180_000)
