import { Pool } from 'pg'
import postgres from 'postgres'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addMinuteJobs } from '#lib/infra/queue/minute-jobs.ts'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

const noop = async () => undefined
const handlers = {
  wake: noop,
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

/** Starts two processes that run jobs. `swept` counts the runs. */
async function twoWorkers() {
  const database = await createDatabase()
  const sql = postgres(database.url, { max: 2 })
  const pool = new Pool({ connectionString: database.url, max: 1 })
  // `end()` resolves before the connections are closed, and dropping the database then cuts them. The pool emits
  // the errors of its idle connections.
  pool.on('error', () => undefined)
  const swept = { count: 0, fails: false }
  const sweep = async () => {
    swept.count += 1
    if (swept.fails) throw new Error('The broom broke.')
  }
  const waiting = () => sql<{ inSeconds: number; seconds: number }[]>`
    select extract(epoch from run_at - clock_timestamp())::float as "inSeconds",
      extract(second from run_at)::float as seconds
    from graphile_worker._private_jobs where key = 'sweep'`
  await addMinuteJobs(pool, ['sweep'])
  const first = await waiting()
  // From here on, the test decides when the minute is over.
  await sql`update graphile_worker._private_jobs set run_at = run_at + interval '1 hour' where key = 'sweep'`
  const workers = await Promise.all(
    [1, 2].map(() => startWorker(database.url, handlers, { sweep }, () => false))
  )
  onTestFinished(async () => {
    await Promise.all(workers.map(worker => worker.stop()))
    await Promise.all([sql.end(), pool.end()])
    await database.drop()
  })
  return {
    swept,
    first,
    waiting,
    queueSweep: () => addMinuteJobs(pool, ['sweep']),
    /** Ends the minute. */
    pass: () => sql`update graphile_worker._private_jobs set run_at = clock_timestamp() where key = 'sweep'`
  }
}

test("a job of the minute runs once, at the database's next minute, even if a process's clock is hours ahead", async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { swept, first, waiting, queueSweep, pass } = await twoWorkers()
  expect(first).toEqual([{ seconds: 0, inSeconds: expect.any(Number) }])
  expect(first[0]?.inSeconds).toBeLessThanOrEqual(60)
  await queueSweep()
  expect(await waiting()).toHaveLength(1)
  expect(swept.count).toBe(0)

  for (const count of [1, 2]) {
    await pass()
    await expect.poll(() => swept.count, { timeout: 30_000 }).toBe(count)
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([])
    await Promise.all([queueSweep(), queueSweep()])
    expect(await waiting()).toHaveLength(1)
  }
})

test('a failed job runs again in the next minute, regardless of how often it failed', async () => {
  allowErrors(/Failed task/)
  const { swept, waiting, queueSweep, pass } = await twoWorkers()
  swept.fails = true
  for (let round = 0; round < 3; round++) {
    const before = swept.count
    await pass()
    await expect.poll(() => swept.count, { timeout: 30_000 }).toBeGreaterThan(before)
    await expect
      .poll(
        async () => {
          await queueSweep()
          return (await waiting()).map(({ seconds }) => seconds)
        },
        { timeout: 30_000 }
      )
      .toEqual([0])
  }
})

test('processes that start at once on a new queue do not disturb each other', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `sweep-${n}`)
  const sweeps = (order: string[]) => Object.fromEntries(order.map(name => [name, noop]))
  for (let round = 0; round < 5; round++) {
    const database = await createDatabase()
    const workers = await Promise.all(
      [names, names.toReversed(), names, names.toReversed()].map(order =>
        startWorker(database.url, handlers, sweeps(order), () => false)
      )
    )
    await Promise.all(workers.map(worker => worker.stop()))
    await database.drop()
  }
}, 120_000)
