import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import { eventsAfter, wireEvent } from '#lib/engine/log/read-events.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { register } from '#lib/engine/worker/lease.ts'
import { AdaptiveDelay } from '#lib/kernel/adaptive-delay.ts'
import type { Chunk, SessionEvent } from '#lib/protocol/session/event.ts'
import { type TestSession, testWorld } from '#tests/support/worlds/world.ts'

/** A tail on a bell that rings here only, and how often it has read what is new. */
function tailOn(sql: Pool) {
  const ears = new Set<(key: number | null) => void>()
  const ring = (key: number) => {
    for (const ear of ears) ear(key)
  }
  const onRing = (ear: (key: number | null) => void) => {
    ears.add(ear)
    return () => ears.delete(ear)
  }
  let reads = 0
  const counted = new Proxy(sql, {
    apply(target, self, args) {
      if (String(args[0]).includes('cross join lateral')) reads++
      return Reflect.apply(target as never, self, args)
    }
  }) as Pool
  const tail = new Subscriber(counted, { publish: ring, subscribe: onRing, stop: async () => undefined })
  onTestFinished(() => tail.stop())
  return { tail, ring, onRing, reads: () => reads }
}

/** Another process's write, which nobody here hears of: one event. */
const write = (sql: Pool, { key }: TestSession) => sql`
  with moved as (update heads set seq = seq + 1 where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq, 'session', '{"title": "x"}', clock_timestamp() from moved`

const stored = async (sql: Pool, { key }: TestSession): Promise<SessionEvent[]> =>
  (await eventsAfter(sql, key, 0, 10_000)).map(wireEvent)

/** A session that a worker of ours has, with a follower of its own tail that has read all there is. */
async function followed() {
  const { sql, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  const workerId = await register(sql)
  await sql`update heads set owner = ${workerId}, epoch = 1 where session_key = ${session.key}`
  const lease: Lease = { sessionKey: session.key, epoch: 1, workerId }
  const { tail, ring, onRing, reads } = tailOn(sql)
  await write(sql, session)
  const reader = tail.follow(session.key, 0, new AbortController().signal)
  const told: SessionEvent[] = []
  const hear = async (seq: number) => {
    while ((told.at(-1)?.seq ?? 0) < seq) told.push((await reader.next()).value as SessionEvent)
  }
  await hear(1)
  return { sql, session, open, lease, tail, ring, onRing, reader, reads, told, hear }
}

const push = (appender: BatchWriter, lease: Lease, chunk: Chunk) =>
  appender.push(
    lease,
    { type: 'chunk', messageId: 'm', turnId: 't', chunk },
    {
      onLost: () => {
        throw new Error('The lease is lost.')
      },
      onCancel: () => undefined
    }
  )

test('what a process writes its own followers are told without a read, and it is what is stored', async () => {
  const { sql, session, lease, tail, ring, reads, told, hear } = await followed()
  const appender = new BatchWriter(sql, { notify: ring, publish: tail.offer })
  for (let i = 0; i < 20; i++) {
    push(appender, lease, { type: 'text-start', id: `${i}` })
    push(appender, lease, { type: 'text-delta', id: `${i}`, delta: `word\0 ${i} \ud800` })
    await appender.settled(session.key)
  }
  await hear(41)
  expect(reads()).toBe(0)
  expect(told).toEqual(await stored(sql, session))
})

test('an offer rings once for the other processes, whether it was told here or dropped', async () => {
  const { sql, session, lease, tail, ring, onRing, hear } = await followed()
  const appender = new BatchWriter(sql, { notify: ring, publish: tail.offer })
  let rings = 0
  onRing(() => rings++)
  push(appender, lease, { type: 'text-start', id: '0' })
  await appender.settled(session.key)
  await hear(2)
  expect(rings, 'told').toBe(1)
  await write(sql, session)
  push(appender, lease, { type: 'text-end', id: '0' })
  await appender.settled(session.key)
  await hear(4)
  expect(rings, 'dropped').toBe(2)
})

test('a session that nobody follows any more is not read', async () => {
  const { sql, session, open, tail, ring, reader, reads } = await followed()
  const other = await open()
  await write(sql, other)
  const stays = tail.follow(other.key, 0, new AbortController().signal)
  expect((await stays.next()).value).toMatchObject({ seq: 1 })
  await reader.return()
  await write(sql, session)
  ring(session.key)
  // A read would have begun before this one is answered.
  await sql`select 1`
  await write(sql, other)
  ring(other.key)
  expect((await stays.next()).value).toMatchObject({ seq: 2 })
  expect(reads(), 'only of what is followed').toBe(1)
})

test('behind a write of another process an offer is dropped and read: nothing is skipped, nothing comes twice', async () => {
  const { sql, session, lease, tail, ring, reads, told, hear } = await followed()
  const appender = new BatchWriter(sql, { notify: ring, publish: tail.offer })
  await write(sql, session)
  push(appender, lease, { type: 'text-start', id: '0' })
  await appender.settled(session.key)
  await hear(3)
  expect(reads()).toBe(1)
  push(appender, lease, { type: 'text-end', id: '0' })
  await appender.settled(session.key)
  await hear(4)
  expect(reads(), 'and then offers join again').toBe(1)
  expect(told).toEqual(await stored(sql, session))
})

test('a follower that comes while offers are made has read what was before them', async () => {
  const { sql, session, lease, tail, ring } = await followed()
  const appender = new BatchWriter(sql, { notify: ring, publish: tail.offer })
  const readers = Array.from({ length: 20 }, async (_, i) => {
    const seen: SessionEvent[] = []
    for (let n = 0; n < i; n++) await sql`select 1`
    for await (const told of tail.follow(session.key, 0, new AbortController().signal)) {
      seen.push(told as SessionEvent)
      if (seen.length === 61) return seen
    }
    return seen
  })
  for (let i = 0; i < 60; i++) {
    push(appender, lease, { type: 'text-start', id: `${i}` })
    await appender.settled(session.key)
  }
  const all = await stored(sql, session)
  for (const reader of readers) expect(await reader).toEqual(all)
})

test('however writes, offers (late, twice, never) and rings fall together, followers are told the log, once and in order', async () => {
  const { sql, session, lease, tail, ring, hear, told } = await followed()
  let seq = 1
  const deed = fc.constantFrom(
    'ours',
    'ours',
    'ours unoffered',
    'ours late',
    'another’s',
    'ring',
    'again',
    'breathe'
  )
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), async deeds => {
      const late: (() => void)[] = []
      let last: (() => void) | undefined
      const ways: Record<string, (events: readonly SessionEvent[], rings: () => void) => void> = {
        ours: (events, rings) => {
          last = () => tail.offer(session.key, events, () => undefined)
          tail.offer(session.key, events, rings)
        },
        'ours unoffered': (_, rings) => rings(),
        'ours late': (events, rings) => void late.push(() => tail.offer(session.key, events, rings))
      }
      for (const deed of deeds) {
        const way = ways[deed]
        if (way !== undefined) {
          const appender = new BatchWriter(
            sql,
            { notify: ring, publish: (_, events, rings) => way(events, rings) },
            new AdaptiveDelay(() => 0)
          )
          push(appender, lease, { type: 'text-start', id: `${seq}` })
          push(appender, lease, { type: 'text-end', id: `${seq}` })
          await appender.settled(session.key)
          seq += 2
        } else if (deed === 'another’s') {
          await write(sql, session)
          seq++
        } else if (deed === 'ring') ring(session.key)
        else if (deed === 'again') last?.()
        else await sql`select 1`
      }
      for (const offer of late) offer()
      ring(session.key)
      await hear(seq)
      expect(told).toEqual(await stored(sql, session))
    }),
    { numRuns: 60 }
  )
})

test('a follower that does not read is dropped once 2,000 events wait for it', async () => {
  const { session, tail } = await followed()
  const reader = tail.follow(session.key, 1, new AbortController().signal)
  const first = reader.next()
  const events = Array.from({ length: 2_500 }, (_, n) => ({ type: 'session', seq: n + 2, title: 'x' }))
  tail.offer(session.key, events as unknown as SessionEvent[], () => undefined)
  expect((await first).value).toMatchObject({ seq: 2 })
  const seqs: number[] = []
  for await (const told of reader) seqs.push((told as SessionEvent).seq)
  expect(seqs).toEqual(Array.from({ length: 1_999 }, (_, n) => n + 3))
})
