import { expect, onTestFinished, vi } from 'vitest'
import { connect } from '#db/client.ts'
import { redisPubSub } from '#lib/engine/log/pubsub/redis.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { listenToBus } from '#tests/support/servers/listen-to-bus.ts'
import { testRedis, withRedis } from '#tests/support/servers/redis-server.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/**
 * Timeout for delivery by polling: some polls of a second each on a busy machine, far less than the minute of the
 * sweep.
 */
const pollingTimeout = 10_000

const database = async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  return url
}

/** Creates the bus of a process for a database. */
const busOn = async (redis: string, databaseUrl: string) => {
  const sql = connect(databaseUrl, { max: 1 })
  const bus = await redisPubSub(redis, sql)
  onTestFinished(async () => {
    await bus.stop()
    await sql.end()
  })
  return bus
}

/**
 * Starts a server that receives messages and a worker that answers them. They communicate only over Redis and
 * Postgres.
 */
const twoProcesses = async (REDIS_URL: string) => {
  const server = await startTestServer({
    script: (_, index) => replyText(`Answer ${index}.`),
    settings: { WAYSTATION_ROLE: 'worker', REDIS_URL }
  })
  const web = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  return { server, there: await server.reopenSession((await server.startSession()).id, web.ctx) }
}

withRedis.test(
  'a killed, restarted or flushed Redis costs latency but no message: processes poll while it is down',
  async () => {
    const redis = await testRedis()
    const { server, there: session } = await twoProcesses(redis.url)
    expect(await session.runTurn('one')).toMatchObject({ outcome: 'done' })
    await redis.kill()
    const from = performance.now()
    expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
    expect(performance.now() - from).toBeLessThan(pollingTimeout)
    await redis.start()
    await expect.poll(redis.listeners, { timeout: pollingTimeout }).toBe(2)
    expect(await redis.ask('FLUSHALL')).toBe('OK')
    expect(await session.runTurn('three')).toMatchObject({ outcome: 'done' })
    expect(await session.agentTexts()).toEqual(['Answer 0.', 'Answer 1.', 'Answer 2.'])
    await expect.poll(() => isServerIdle(server.sql)).toBe(true)
    await expectValidSessions(server.sql)
  }
)

withRedis.test(
  'a process that starts without Redis polls, and receives wake-ups once Redis is up',
  async () => {
    const redis = await testRedis({ up: false })
    const { there: session } = await twoProcesses(redis.url)
    expect(await session.runTurn('one')).toMatchObject({ outcome: 'done' })
    await redis.start()
    await expect.poll(redis.listeners, { timeout: pollingTimeout }).toBe(2)
    expect(await session.runTurn('two')).toMatchObject({ outcome: 'done' })
  }
)

withRedis.test(
  'while Redis is down, the bus reports once a second that anything may have happened',
  async () => {
    const redis = await testRedis()
    const received = listenToBus(await busOn(redis.url, await database()))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await redis.kill()
    // Wait until the client has noticed the broken connection.
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    received.clear()
    for (let seconds = 1; seconds <= 3; seconds++) {
      vi.advanceTimersByTime(1_000)
      expect(received.all).toEqual(Array.from({ length: seconds }, () => null))
    }
  }
)

withRedis.test(
  'a wake-up that was published while only the publisher was cut off is reported as "anything may have happened"',
  async () => {
    const [redis, url] = [await testRedis(), await database()]
    const [listener, publisher] = [await busOn(redis.url, url), await busOn(redis.url, url)]
    const [received, publisherReceived] = [listenToBus(listener), listenToBus(publisher)]
    // The connection of the listener is the older one.
    const [, id] = [...String(await redis.ask('CLIENT', 'LIST', 'TYPE', 'pubsub')).matchAll(/^id=(\d+)/gm)]
    received.clear()
    publisherReceived.clear()
    await redis.ask('CLIENT', 'KILL', 'ID', id?.[1] ?? '')
    publisher.publish(7)
    await publisherReceived(null)
    await Promise.race([received(7), received(null)])
  }
)

withRedis.test(
  'a Redis that hangs delays neither a start nor a stop, and is treated as down until it responds',
  async () => {
    const [redis, url] = [await testRedis(), await database()]
    const bus = await busOn(redis.url, url)
    const received = listenToBus(bus)
    redis.stop()
    received.clear()
    const from = performance.now()
    const lateBus = await busOn(redis.url, url)
    expect(performance.now() - from, 'the start').toBeLessThan(5_000)
    lateBus.publish(7)
    const stopping = performance.now()
    await lateBus.stop()
    expect(performance.now() - stopping, 'the stop').toBeLessThan(2_000)
    await received(null)
    redis.resume()
    const other = await busOn(redis.url, url)
    await expect
      .poll(
        () => {
          other.publish(8)
          return received.all.includes(8)
        },
        { timeout: pollingTimeout }
      )
      .toBe(true)
  }
)

withRedis.test(
  'processes with different databases or numbers in REDIS_URL share a Redis without receiving the wake-ups of the others',
  async () => {
    const redis = await testRedis()
    const [firstDatabase, secondDatabase] = [await database(), await database()]
    const channels: [redis: string, database: string][] = [
      [redis.url, firstDatabase],
      [redis.url, secondDatabase],
      [`${redis.url}/3`, firstDatabase]
    ]
    const publishers = await Promise.all(channels.map(([url, database]) => busOn(url, database)))
    const listeners = (await Promise.all(channels.map(([url, database]) => busOn(url, database)))).map(
      listenToBus
    )
    for (const listener of listeners) listener.clear()
    for (const [n, publisher] of publishers.entries()) {
      publisher.publish(n)
      // Redis delivers in order, so all earlier wake-ups have arrived.
      await listeners[n]?.(n)
    }
    expect(listeners.map(({ all }) => all)).toEqual([[0], [1], [2]])
  }
)
