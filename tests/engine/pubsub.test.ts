import { expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { postgresPubSub } from '#lib/engine/log/pubsub/postgres.ts'
import { redisPubSub } from '#lib/engine/log/pubsub/redis.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { listenToBus } from '#tests/support/servers/listen-to-bus.ts'
import { testRedis, withRedis } from '#tests/support/servers/redis-server.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Returns the listening connections of this database, of the bus and the job queue; `channel` selects one of
 * them.
 */
const listeners = async (sql: Pool, channel = ''): Promise<number[]> =>
  (
    await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and query ilike ${`listen "${channel}%`}`
  ).map(({ pid }) => pid)

/** Terminates every listening connection, as a network failure would, and returns them. */
async function terminateListeners(sql: Pool): Promise<number[]> {
  const pids = await listeners(sql)
  for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
  return pids
}

/** Adds one event to a session’s log, without a notification. */
const write = (sql: Pool, { key }: TestSession) => sql`
  with moved as (update heads set seq = seq + 1 where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq, 'session', '{"title": "x"}', clock_timestamp() from moved`

test('a follower whose wake-up was lost reads the event with the next poll, one second later', async () => {
  const { sql, startSession: openSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await openSession()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const tail = new Subscriber(sql, { publish() {}, subscribe: () => () => {}, stop: async () => {} })
  onTestFinished(() => tail.stop())
  const reader = tail.follow(session.key, 0, new AbortController().signal)
  for (let seq = 1; seq <= 3; seq++) {
    await write(sql, session)
    const firstEvent = reader.next()
    // The follower reads the first event when it starts. Only polling reads the others.
    if (seq > 1) vi.advanceTimersByTime(1_000)
    expect((await firstEvent).value).toMatchObject({ seq })
  }
})

test('if every listening connection is terminated, followers and wake-ups continue by polling, and the connections return', async () => {
  const server = await startTestServer({
    script: (_, index) => replyText(`Answer ${index}.`),
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  // One process accepts messages and another answers them, so only notifications connect the two.
  const web = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  const reopened = await server.reopenSession((await server.startSession()).id, web.ctx)
  expect(await reopened.runTurn('one')).toMatchObject({ outcome: 'done' })
  const before = await listeners(server.sql, 'waystation')
  expect(before).toHaveLength(2)

  allowErrors(/notify listener|UNLISTEN/)
  const terminated = await terminateListeners(server.sql)
  expect(terminated.length).toBeGreaterThanOrEqual(3)
  expect(await reopened.runTurn('two')).toMatchObject({ outcome: 'done' })
  expect(await reopened.agentTexts()).toEqual(['Answer 0.', 'Answer 1.'])
  await expect.poll(async () => (await listeners(server.sql, 'waystation')).length).toBe(2)
  expect((await listeners(server.sql)).filter(pid => terminated.includes(pid))).toEqual([])
  expect(await reopened.runTurn('three')).toMatchObject({ outcome: 'done' })
  await expect.poll(() => isServerIdle(server.sql)).toBe(true)
  await expectValidSessions(server.sql)
})

/** Guarantees that apply to every bus. `cut` terminates every listening connection. */
const lines = [
  {
    line: 'Postgres',
    needed: { test },
    setUp: async (sql: Pool) => ({
      bus: postgresPubSub,
      cut: () => terminateListeners(sql) as Promise<unknown>
    })
  },
  {
    line: 'Redis',
    needed: withRedis,
    setUp: async () => {
      const { url, cut: terminated } = await testRedis()
      return { bus: (sql: Pool) => redisPubSub(url, sql), cut: terminated as () => Promise<unknown> }
    }
  }
]

for (const { line, needed, setUp } of lines)
  needed.test(
    `a bus on ${line} whose line was cut says that anything may have happened, and hears rings again`,
    async () => {
      const { sql, databaseUrl } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
      const url = databaseUrl()
      const { bus, cut: terminated } = await setUp(sql)
      const busSql = connect(url, { max: 2 })
      const other = connect(url, { max: 2 })
      const [listener, publisher] = await Promise.all([bus(busSql), bus(other)])
      const received = listenToBus(listener)
      publisher.publish(7)
      await received(7)
      received.clear()
      await terminated()
      await received(null)
      // The other end might still be reconnecting.
      await expect
        .poll(() => {
          publisher.publish(8)
          return received.all.includes(8)
        })
        .toBe(true)
      for (let key = 1; key <= 3_000; key++) publisher.publish(1e12 + key)
      await received(1e12 + 3_000)
      expect(received.all.filter(key => key !== null && key > 1e12)).toHaveLength(3_000)
      await Promise.all([listener.stop(), publisher.stop()])
      await Promise.all([busSql.end(), other.end()])
    }
  )

test('a poll that fails when a reader joins does not stop later notifications for that session', async () => {
  const { sql, startSession: openSession } = await startTestServer()
  const session = await openSession()
  let failing = true
  const flakySql = new Proxy(sql, {
    apply(target, receiver, args) {
      const statement = (args[0] as string[]).join('')
      if (failing && statement.includes('select seq from heads'))
        return Promise.reject(new Error('connection lost'))
      return Reflect.apply(target as never, receiver, args)
    }
  }) as Pool
  const tail = new Subscriber(flakySql, { publish() {}, subscribe: () => () => {}, stop: async () => {} })
  const signal = new AbortController().signal
  await expect(tail.follow(session.key, 0, signal).next()).rejects.toThrow('connection lost')
  failing = false
  const reader = tail.follow(session.key, 0, signal)
  const first = reader.next()
  const { seq } = await session.runTurn('say hi')
  expect((await first).value).toMatchObject({ seq: 1 })
  for (let next = 2; next <= seq; next++) expect((await reader.next()).value).toMatchObject({ seq: next })
  tail.stop()
})
