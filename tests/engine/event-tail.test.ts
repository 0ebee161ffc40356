import { AdaptiveDelay } from '@waystation/base/adaptive-delay.ts'
import type { Chunk, SessionEvent } from '@waystation/protocol/session/event.ts'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import { eventsAfter, wireEvent } from '#lib/engine/log/read-events.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { register } from '#lib/engine/worker/lease.ts'
import type { Notify } from '#lib/kernel/ctx.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/**
 * Returns a subscriber with notifications local to this test, and a count of how often it reads new events.
 */
function countingSubscriber(sql: Pool) {
  const listeners = new Set<(key: number | null) => void>()
  const wake = (key: number) => {
    for (const listener of listeners) listener(key)
  }
  const onWake = (listener: (key: number | null) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  let reads = 0
  const countingSql = new Proxy(sql, {
    apply(target, receiver, args) {
      if (String(args[0]).includes('cross join lateral')) reads++
      return Reflect.apply(target as never, receiver, args)
    }
  }) as Pool
  const tail = new Subscriber(countingSql, { publish: wake, subscribe: onWake, stop: async () => undefined })
  onTestFinished(() => tail.stop())
  return { tail, wake, onWake, reads: () => reads }
}

/** Writes one event as another process would, without a notification in this process. */
const write = (sql: Pool, { key }: TestSession) => sql`
  with moved as (update heads set seq = seq + 1 where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq, 'session', '{"title": "x"}', clock_timestamp() from moved`

const stored = async (sql: Pool, { key }: TestSession): Promise<SessionEvent[]> =>
  (await eventsAfter(sql, key, 0, 10_000)).map(wireEvent)

/** Returns a session that a worker of this process owns, and a follower that has read all of its events. */
async function followedSession() {
  const { sql, startSession: open } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  const workerId = await register(sql)
  await sql`update heads set owner = ${workerId}, epoch = 1 where session_key = ${session.key}`
  const lease: Lease = { sessionKey: session.key, epoch: 1, workerId }
  const { tail, wake, onWake, reads } = countingSubscriber(sql)
  await write(sql, session)
  const reader = tail.follow(session.key, 0, new AbortController().signal)
  const received: SessionEvent[] = []
  const receive = async (seq: number) => {
    while ((received.at(-1)?.seq ?? 0) < seq) received.push((await reader.next()).value as SessionEvent)
  }
  await receive(1)
  return {
    sql,
    session,
    open,
    lease,
    tail,
    wake,
    onWake,
    reader,
    reads,
    received,
    receive
  }
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

test('followers in the same process receive its writes without a read, and these equal the stored events', async () => {
  const { sql, session, lease, tail, reads, received, receive } = await followedSession()
  const appender = new BatchWriter(sql, tail.notify)
  for (let i = 0; i < 20; i++) {
    push(appender, lease, { type: 'text-start', id: `${i}` })
    push(appender, lease, { type: 'text-delta', id: `${i}`, delta: `word\0 ${i} \ud800` })
    await appender.settled(session.key)
  }
  await receive(41)
  expect(reads()).toBe(0)
  expect(received).toEqual(await stored(sql, session))
})

test('an offer notifies the other processes once, whether it is delivered or dropped here', async () => {
  const { sql, session, lease, tail, onWake, receive } = await followedSession()
  const appender = new BatchWriter(sql, tail.notify)
  let notify = 0
  onWake(() => notify++)
  push(appender, lease, { type: 'text-start', id: '0' })
  await appender.settled(session.key)
  await receive(2)
  expect(notify, 'told').toBe(1)
  await write(sql, session)
  push(appender, lease, { type: 'text-end', id: '0' })
  await appender.settled(session.key)
  await receive(4)
  expect(notify, 'dropped').toBe(2)
})

test('a session without followers is not read', async () => {
  const { sql, session, open, tail, wake, reader, reads } = await followedSession()
  const other = await open()
  await write(sql, other)
  const otherReader = tail.follow(other.key, 0, new AbortController().signal)
  expect((await otherReader.next()).value).toMatchObject({ seq: 1 })
  await reader.return()
  await write(sql, session)
  wake(session.key)
  // A read would have started before this statement returns.
  await sql`select 1`
  await write(sql, other)
  wake(other.key)
  expect((await otherReader.next()).value).toMatchObject({ seq: 2 })
  expect(reads(), 'only of what is followed').toBe(1)
})

test('an offer behind another process’s write is dropped and read instead: no event is skipped or repeated', async () => {
  const { sql, session, lease, tail, reads, received, receive } = await followedSession()
  const appender = new BatchWriter(sql, tail.notify)
  await write(sql, session)
  push(appender, lease, { type: 'text-start', id: '0' })
  await appender.settled(session.key)
  await receive(3)
  expect(reads()).toBe(1)
  push(appender, lease, { type: 'text-end', id: '0' })
  await appender.settled(session.key)
  await receive(4)
  expect(reads(), 'and then offers join again').toBe(1)
  expect(received).toEqual(await stored(sql, session))
})

test('a follower that joins while offers arrive has read all events before them', async () => {
  const { sql, session, lease, tail } = await followedSession()
  const appender = new BatchWriter(sql, tail.notify)
  const readers = Array.from({ length: 20 }, async (_, i) => {
    const received: SessionEvent[] = []
    for (let n = 0; n < i; n++) await sql`select 1`
    for await (const event of tail.follow(session.key, 0, new AbortController().signal)) {
      received.push(event as SessionEvent)
      if (received.length === 61) return received
    }
    return received
  })
  for (let i = 0; i < 60; i++) {
    push(appender, lease, { type: 'text-start', id: `${i}` })
    await appender.settled(session.key)
  }
  const storedEvents = await stored(sql, session)
  for (const reader of readers) expect(await reader).toEqual(storedEvents)
})

test('for any sequence of writes, offers (late, repeated, missing) and notifications, followers receive the log once and in order', async () => {
  const { sql, session, lease, tail, wake, receive, received } = await followedSession()
  let seq = 1
  const action = fc.constantFrom(
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
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async actions => {
      const lateOffers: (() => void)[] = []
      let last: (() => void) | undefined
      const offerModes: Record<string, Notify> = {
        ours(key, events) {
          last = () => tail.notify(key, events)
          tail.notify(key, events)
        },
        'ours unoffered': key => wake(key),
        'ours late': (key, events) => void lateOffers.push(() => tail.notify(key, events))
      }
      for (const action of actions) {
        const offerMode = offerModes[action]
        if (offerMode !== undefined) {
          const appender = new BatchWriter(sql, offerMode, new AdaptiveDelay(() => 0))
          push(appender, lease, { type: 'text-start', id: `${seq}` })
          push(appender, lease, { type: 'text-end', id: `${seq}` })
          await appender.settled(session.key)
          seq += 2
        } else if (action === 'another’s') {
          await write(sql, session)
          seq++
        } else if (action === 'ring') wake(session.key)
        else if (action === 'again') last?.()
        else await sql`select 1`
      }
      for (const lateOffer of lateOffers) lateOffer()
      wake(session.key)
      await receive(seq)
      expect(received).toEqual(await stored(sql, session))
    }),
    { numRuns: 60 }
  )
})

test('a follower that does not read is dropped once 2,000 events wait for it', async () => {
  const { session, tail } = await followedSession()
  const reader = tail.follow(session.key, 1, new AbortController().signal)
  const first = reader.next()
  const events = Array.from({ length: 2_500 }, (_, n) => ({ type: 'session', seq: n + 2, title: 'x' }))
  tail.notify(session.key, events as unknown as SessionEvent[])
  expect((await first).value).toMatchObject({ seq: 2 })
  const seqs: number[] = []
  for await (const event of reader) seqs.push((event as SessionEvent).seq)
  expect(seqs).toEqual(Array.from({ length: 1_999 }, (_, n) => n + 3))
})
