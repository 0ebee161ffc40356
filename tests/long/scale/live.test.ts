import { expect, onTestFinished } from 'vitest'
import { connect } from '#db/client.ts'
import { redisBus } from '#lib/bus/redis-bus.ts'
import { liveTail } from '#lib/events/live-tail.ts'
import { Tail } from '#lib/events/tail.ts'
import type { SessionEvent } from '#lib/protocol/event.ts'
import { testRedis, withRedis } from '#tests/support/worlds/redis-server.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

type Written = SessionEvent & { seq: number; at: string; title: string }

/** A process that follows a session over its bus, and a way to write into that session's log without a ring. */
async function follower({ up = true } = {}) {
  const redis = await testRedis({ up })
  const { sql, databaseUrl, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const { key } = await open()
  const process = async () => {
    const own = connect(url, { max: 2 })
    const bus = await redisBus(redis.url, own)
    onTestFinished(async () => {
      await bus.stop()
      await own.end()
    })
    return { own, bus }
  }
  const { own, bus } = await process()
  const tail = new Tail(own, bus)
  const leave = new AbortController()
  onTestFinished(() => {
    leave.abort()
    tail.stop()
  })
  const reader = liveTail(tail, bus).tail(key, 0, leave.signal)[Symbol.asyncIterator]()
  const next = async () => (await reader.next()).value as Written
  const write = async (): Promise<Written> => {
    const [row] = await sql<{ seq: number; at: string }[]>`
      with moved as (update heads set seq = seq + 1 where session_key = ${key} returning seq)
      insert into events (session_key, seq, type, payload, at)
      select ${key}, moved.seq, 'session', '{"title": "read"}', clock_timestamp() from moved returning seq, at`
    return { type: 'session', title: 'read', seq: Number(row?.seq), at: new Date(row?.at ?? 0).toISOString() }
  }
  return {
    redis,
    next,
    write,
    /** Another process on the same database. */
    other: async () => {
      const { bus } = await process()
      const carry = (event: Written) => bus.live?.carry(key, [event])
      return {
        ring: () => bus.ring(key),
        carry,
        /** Writes, and carries the same under another title: how did it come here? */
        async way() {
          carry({ ...(await write()), title: 'carried' })
          return (await next()).title
        }
      }
    }
  }
}

withRedis.test(
  'what another process writes is carried to those who follow, who need not read it; the first of it is read, to see that it is in our log',
  async () => {
    const { other } = await follower()
    const writer = await other()
    expect(await writer.way()).toBe('read')
    await expect.poll(writer.way).toBe('carried')
  }
)

withRedis.test('what does not join what was told last is read from the log', async () => {
  const { other, write, next } = await follower()
  const writer = await other()
  await expect.poll(writer.way).toBe('carried')
  const first = await write()
  const second = await write()
  writer.carry({ ...second, title: 'carried' })
  expect([await next(), await next()]).toEqual([first, second])
})

withRedis.test(
  'what is carried and stands in no log of ours is never told: a copy of the database rings on the same channel',
  async () => {
    const { other, write, next } = await follower()
    const [writer, copy] = [await other(), await other()]
    await expect.poll(writer.way).toBe('carried')
    for (let times = 0; times < 10; times++) {
      const before = await write()
      writer.ring()
      expect(await next()).toEqual(before)
      copy.carry({ ...before, title: 'of the copy', seq: before.seq + 1 })
      const after = await write()
      writer.ring()
      expect(await next()).toEqual(after)
    }
  }
)

withRedis.test(
  'a Redis that comes up later, or again, carries for those who follow since before it did',
  async () => {
    const { redis, other } = await follower({ up: false })
    const writer = await other()
    for (let times = 0; times < 2; times++) {
      expect(await writer.way()).toBe('read')
      await redis.start()
      await expect.poll(writer.way, { timeout: 10_000 }).toBe('carried')
      await redis.kill()
    }
  }
)
