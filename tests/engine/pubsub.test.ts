import { expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { postgresPubSub } from '#lib/engine/log/pubsub/postgres.ts'
import { redisPubSub } from '#lib/engine/log/pubsub/redis.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { says } from '#tests/support/fakes/openai-replies.ts'
import { listenToBus } from '#tests/support/worlds/listen-to-bus.ts'
import { testRedis, withRedis } from '#tests/support/worlds/redis-server.ts'
import { atRest, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

/** The connections of this database that listen, the bus's and the job queue's; `channel` for one kind of them. */
const listeners = async (sql: Pool, channel = ''): Promise<number[]> =>
  (
    await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and query ilike ${`listen "${channel}%`}`
  ).map(({ pid }) => pid)

/** Breaks every line there is, as a network would; says which. */
async function cutLines(sql: Pool): Promise<number[]> {
  const pids = await listeners(sql)
  for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
  return pids
}

/** Puts one event into a session's log, without a ring. */
const write = (sql: Pool, { key }: TestSession) => sql`
  with moved as (update heads set seq = seq + 1 where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq, 'session', '{"title": "x"}', clock_timestamp() from moved`

test('a follower whose wake-up was lost reads the event at the next look, one second later', async () => {
  const { sql, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const tail = new Subscriber(sql, { publish() {}, subscribe: () => () => {}, stop: async () => {} })
  onTestFinished(() => tail.stop())
  const reader = tail.follow(session.key, 0, new AbortController().signal)
  for (let seq = 1; seq <= 3; seq++) {
    await write(sql, session)
    const told = reader.next()
    // The first event is read when the follower starts. Only a look reads the others.
    if (seq > 1) vi.advanceTimersByTime(1_000)
    expect((await told).value).toMatchObject({ seq })
  }
})

test('every line that listens is cut: followers and wakes go on by looking, and the lines are there again', async () => {
  const world = await testWorld({
    script: (_, index) => says(`Answer ${index}.`),
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  // The one that takes messages is not the one that answers them: between the two there are only the lines.
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  const there = await world.reopen((await world.session()).id, web.ctx)
  expect(await there.says('one')).toMatchObject({ outcome: 'done' })
  const before = await listeners(world.sql, 'waystation')
  expect(before).toHaveLength(2)

  allowErrors(/notify listener|UNLISTEN/)
  const cut = await cutLines(world.sql)
  expect(cut.length).toBeGreaterThanOrEqual(3)
  expect(await there.says('two')).toMatchObject({ outcome: 'done' })
  expect(await there.said()).toEqual(['Answer 0.', 'Answer 1.'])
  await expect
    .poll(async () => (await listeners(world.sql, 'waystation')).length, { timeout: 10_000 })
    .toBe(2)
  expect((await listeners(world.sql)).filter(pid => cut.includes(pid))).toEqual([])
  expect(await there.says('three')).toMatchObject({ outcome: 'done' })
  await expect.poll(() => atRest(world.sql)).toBe(true)
  await expectSoundSessions(world.sql)
})

/** What is true of a bus on any line. `cut` breaks every connection that listens. */
const lines = [
  {
    line: 'Postgres',
    needed: { test },
    lay: async (sql: Pool) => ({ bus: postgresPubSub, cut: () => cutLines(sql) as Promise<unknown> })
  },
  {
    line: 'Redis',
    needed: withRedis,
    lay: async () => {
      const { url, cut } = await testRedis()
      return { bus: (sql: Pool) => redisPubSub(url, sql), cut: cut as () => Promise<unknown> }
    }
  }
]

for (const { line, needed, lay } of lines)
  needed.test(
    `a bus on ${line} whose line was cut says that anything may have happened, and hears rings again`,
    async () => {
      const { sql, databaseUrl } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
      const url = databaseUrl()
      const { bus, cut } = await lay(sql)
      const mine = connect(url, { max: 2 })
      const other = connect(url, { max: 2 })
      const [ear, mouth] = await Promise.all([bus(mine), bus(other)])
      const hears = listenToBus(ear)
      mouth.publish(7)
      await hears(7)
      hears.nothing()
      await cut()
      await hears(null)
      // The other end may have yet to come back.
      await expect
        .poll(() => {
          mouth.publish(8)
          return hears.all.includes(8)
        })
        .toBe(true)
      for (let key = 1; key <= 3_000; key++) mouth.publish(1e12 + key)
      await hears(1e12 + 3_000)
      expect(hears.all.filter(key => key !== null && key > 1e12)).toHaveLength(3_000)
      await Promise.all([ear.stop(), mouth.stop()])
      await Promise.all([mine.end(), other.end()])
    }
  )

test('a look that fails when a reader joins does not leave the session deaf', async () => {
  const { sql, session: open } = await testWorld()
  const session = await open()
  let broken = true
  const flaky = new Proxy(sql, {
    apply(target, self, args) {
      const words = (args[0] as string[]).join('')
      if (broken && words.includes('select seq from heads'))
        return Promise.reject(new Error('connection lost'))
      return Reflect.apply(target as never, self, args)
    }
  }) as Pool
  const tail = new Subscriber(flaky, { publish() {}, subscribe: () => () => {}, stop: async () => {} })
  const signal = new AbortController().signal
  await expect(tail.follow(session.key, 0, signal).next()).rejects.toThrow('connection lost')
  broken = false
  const reader = tail.follow(session.key, 0, signal)
  const first = reader.next()
  const { seq } = await session.says('say hi')
  expect((await first).value).toMatchObject({ seq: 1 })
  for (let next = 2; next <= seq; next++) expect((await reader.next()).value).toMatchObject({ seq: next })
  tail.stop()
})
