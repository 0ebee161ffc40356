import { expect, onTestFinished, vi } from 'vitest'
import { connect } from '#db/client.ts'
import { redisPubSub } from '#lib/engine/log/pubsub/redis.ts'
import { says } from '#tests/support/fakes/openai-replies.ts'
import { createDatabase } from '#tests/support/worlds/database.ts'
import { listenToBus } from '#tests/support/worlds/listen-to-bus.ts'
import { testRedis, withRedis } from '#tests/support/worlds/redis-server.ts'
import { atRest, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** Some looks of a second each, on a busy machine; far from the minute of the sweep. */
const byLooking = 10_000

const database = async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  return url
}

/** A process's bus on a database. */
const busOn = async (redis: string, databaseUrl: string) => {
  const sql = connect(databaseUrl, { max: 1 })
  const bus = await redisPubSub(redis, sql)
  onTestFinished(async () => {
    await bus.stop()
    await sql.end()
  })
  return bus
}

/** Two processes: one takes messages, the other answers them. Between the two there is only the line. */
const twoProcesses = async (REDIS_URL: string) => {
  const world = await testWorld({
    script: (_, index) => says(`Answer ${index}.`),
    settings: { WAYSTATION_ROLE: 'worker', REDIS_URL }
  })
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  return { world, there: await world.reopen((await world.session()).id, web.ctx) }
}

withRedis.test(
  'Redis killed, started again and flushed costs latency and no message: by looking while it is away, by rings when it is back',
  async () => {
    const redis = await testRedis()
    const { world, there } = await twoProcesses(redis.url)
    expect(await there.says('one')).toMatchObject({ outcome: 'done' })
    await redis.kill()
    const from = performance.now()
    expect(await there.says('two')).toMatchObject({ outcome: 'done' })
    expect(performance.now() - from).toBeLessThan(byLooking)
    await redis.start()
    await expect.poll(redis.listeners, { timeout: byLooking }).toBe(2)
    expect(await redis.ask('FLUSHALL')).toBe('OK')
    expect(await there.says('three')).toMatchObject({ outcome: 'done' })
    expect(await there.said()).toEqual(['Answer 0.', 'Answer 1.', 'Answer 2.'])
    await expect.poll(() => atRest(world.sql)).toBe(true)
    await expectSoundSessions(world.sql)
  }
)

withRedis.test(
  'a process starts without Redis, works by looking, and hears rings once it is up',
  async () => {
    const redis = await testRedis({ up: false })
    const { there } = await twoProcesses(redis.url)
    expect(await there.says('one')).toMatchObject({ outcome: 'done' })
    await redis.start()
    await expect.poll(redis.listeners, { timeout: byLooking }).toBe(2)
    expect(await there.says('two')).toMatchObject({ outcome: 'done' })
  }
)

withRedis.test(
  'while Redis is down the bus reports once a second that anything may have happened',
  async () => {
    const redis = await testRedis()
    const hears = listenToBus(await busOn(redis.url, await database()))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await redis.kill()
    // The client has seen that the connection broke.
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    hears.nothing()
    for (let seconds = 1; seconds <= 3; seconds++) {
      vi.advanceTimersByTime(1_000)
      expect(hears.all).toEqual(Array.from({ length: seconds }, () => null))
    }
  }
)

withRedis.test(
  'what was rung while the ringer alone was cut off is told as "anything may have happened"',
  async () => {
    const [redis, url] = [await testRedis(), await database()]
    const [ear, mouth] = [await busOn(redis.url, url), await busOn(redis.url, url)]
    const [hears, notices] = [listenToBus(ear), listenToBus(mouth)]
    // The ear's connection is the older one.
    const [, id] = [...String(await redis.ask('CLIENT', 'LIST', 'TYPE', 'pubsub')).matchAll(/^id=(\d+)/gm)]
    hears.nothing()
    notices.nothing()
    await redis.ask('CLIENT', 'KILL', 'ID', id?.[1] ?? '')
    mouth.publish(7)
    await notices(null)
    await Promise.race([hears(7), hears(null)])
  }
)

withRedis.test(
  'a Redis that hangs holds up neither a start nor a stop, and is left for dead until it answers again',
  async () => {
    const [redis, url] = [await testRedis(), await database()]
    const bus = await busOn(redis.url, url)
    const hears = listenToBus(bus)
    redis.stop()
    hears.nothing()
    const from = performance.now()
    const late = await busOn(redis.url, url)
    expect(performance.now() - from, 'the start').toBeLessThan(5_000)
    late.publish(7)
    const stopping = performance.now()
    await late.stop()
    expect(performance.now() - stopping, 'the stop').toBeLessThan(2_000)
    await hears(null)
    redis.goOn()
    const other = await busOn(redis.url, url)
    await expect
      .poll(
        () => {
          other.publish(8)
          return hears.all.includes(8)
        },
        { timeout: byLooking }
      )
      .toBe(true)
  }
)

withRedis.test(
  'processes of different databases, or with different numbers in REDIS_URL, share a Redis and do not hear each other',
  async () => {
    const redis = await testRedis()
    const [one, two] = [await database(), await database()]
    const places: [redis: string, database: string][] = [
      [redis.url, one],
      [redis.url, two],
      [`${redis.url}/3`, one]
    ]
    const mouths = await Promise.all(places.map(([url, database]) => busOn(url, database)))
    const ears = (await Promise.all(places.map(([url, database]) => busOn(url, database)))).map(listenToBus)
    for (const hears of ears) hears.nothing()
    for (const [n, mouth] of mouths.entries()) {
      mouth.publish(n)
      // Redis tells what was rung in order: whatever came before has come.
      await ears[n]?.(n)
    }
    expect(ears.map(({ all }) => all)).toEqual([[0], [1], [2]])
  }
)
