import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { compactMessages } from '#lib/engine/context/compact-messages.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { applyEvent, emptyTranscript, type Transcript, transcriptOf } from '#lib/protocol/session/fold.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { snapshotOf } from '#lib/sessions/snapshot.ts'
import { calls, fails, holds, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }

/** What a reader that starts after this cursor is told first: an event, or nothing within the log as it is. */
async function firstAfter(
  { ctx }: Pick<TestWorld, 'ctx'>,
  session: TestSession,
  after: number
): Promise<SessionEvent | undefined> {
  const stop = new AbortController()
  const stream = (await followSession(ctx, { sessionId: session.id, after }, stop.signal))[
    Symbol.asyncIterator
  ]()
  const told = await stream.next()
  stop.abort()
  await stream.return?.()
  return told.value
}

/** Two finished turns, compacted. */
async function compacted() {
  const world = await testWorld({ script: [says('One two three.'), says('Four five six.')] })
  const session = await world.session()
  await session.says('first')
  await session.says('second')
  const before = await session.log()
  await world.pass(11 * 60)
  await compactMessages(world.ctx)
  return { ...world, session, before, after: await session.log() }
}

test('chunks of a finished message become one event at the place of the last; nobody sees a difference', async () => {
  const { ctx, sql, session, before, after } = await compacted()
  expect(after.length).toBeLessThan(before.length)
  expect(after.filter(event => event.type === 'chunk')).toEqual([])
  expect(after.map(event => event.seq)).toEqual(
    before.map(event => event.seq).filter(seq => after.some(event => event.seq === seq))
  )
  expect(after.at(-1)?.seq).toBe(before.at(-1)?.seq)
  expect(shown(fold(after))).toEqual(shown(fold(before)))
  expect(shown(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(shown(fold(before)))
  const [sizes] = await sql`select count(*)::int as events from events`
  expect(sizes?.events).toBe(after.length)
})

test('nothing is compacted sooner than ten minutes after its end, and nothing that is not finished', async () => {
  const world = await testWorld({ script: [says('One.'), holds('Two')] })
  const session = await world.session()
  await session.says('first')
  await world.pass(9 * 60)
  await session.send('second')
  await session.reads('Two')
  const before = await session.log()
  await compactMessages(world.ctx)
  expect(await session.log()).toEqual(before)
  await world.pass(2 * 60)
  await compactMessages(world.ctx)
  const after = await session.log()
  expect(after.filter(event => event.type === 'chunk').length).toBeGreaterThan(0)
  expect(after.length).toBeLessThan(before.length)
})

test('a cursor at a border of what was compacted reads on; one strictly inside gets a reset; 0 always works', async () => {
  const { session, before, after, ...world } = await compacted()
  const kept = new Set(after.map(event => event.seq))
  const chunks = before.filter(event => event.type === 'chunk').map(event => event.seq)
  expect(chunks.length).toBeGreaterThan(6)
  for (const { seq } of before.slice(0, -1)) {
    const told = await firstAfter(world, session, seq)
    const inside = chunks.includes(seq) && !kept.has(seq)
    if (inside) expect(told, `after ${seq}`).toMatchObject({ type: 'reset', cursor: before.at(-1)?.seq })
    else expect(told?.seq, `after ${seq}`).toBe(after.find(event => event.seq > seq)?.seq)
  }
  expect(await firstAfter(world, session, 0)).toMatchObject({ seq: 1 })
})

test('a cursor above the head, and one of an earlier life, get a reset; seq never restarts', async () => {
  const { session: open, reopen, ...world } = await testWorld({ script: [says('One.'), says('Two.')] })
  const session = await open()
  await session.says('first')
  const last = (await session.log()).at(-1)?.seq ?? 0
  expect(await firstAfter(world, session, last + 100)).toMatchObject({ type: 'reset', cursor: last })
  await deleteSession(world.ctx, { sessionId: session.id })
  await createSession(world.ctx, { sessionId: session.id, agentId: 'guide' })
  expect(await firstAfter(world, session, last)).toMatchObject({
    type: 'reset',
    messages: [],
    calls: [],
    status: 'idle'
  })
  expect(await firstAfter(world, session, 1)).toMatchObject({ type: 'reset' })
  const again = await reopen(session.id)
  await again.says('second')
  expect((await again.log())[0]?.seq).toBeGreaterThan(last)
  expect(await again.said()).toEqual(['Two.'])
  expect(await firstAfter(world, session, 0)).toMatchObject({ seq: (await again.log())[0]?.seq })
})

test('who follows a session sees its deletion: the stream ends; its turn writes nothing more', async () => {
  const { ctx, sql, model, session: open } = await testWorld({ script: [holds('Half')] })
  const session = await open()
  await session.send('hello')
  await session.reads('Half')
  await deleteSession(ctx, { sessionId: session.id })
  await session.over
  model.release()
  await (await model.request(0)).ended
  for (const table of ['events', 'messages', 'calls', 'inbox', 'context', 'turns', 'receipts', 'deliveries'])
    expect(await sql`select from ${sql(table)} where session_key = ${session.key}`, table).toHaveLength(0)
})

test('who follows while a session is deleted and lives again gets a reset', async () => {
  const { ctx, session: open } = await testWorld({ script: [says('One.')] })
  const session = await open()
  await session.says('hello')
  const stop = new AbortController()
  const stream = (
    await followSession(
      ctx,
      { sessionId: session.id, after: (await session.log()).at(-1)?.seq ?? 0 },
      stop.signal
    )
  )[Symbol.asyncIterator]()
  await deleteSession(ctx, { sessionId: session.id })
  await createSession(ctx, { sessionId: session.id, agentId: 'guide' })
  // A reader that looks between the two finds no session, and its stream ends.
  expect(await stream.next()).toMatchObject({ done: false, value: { type: 'reset', messages: [] } })
  stop.abort()
})

test('a reader that does not read is dropped when it is two thousand events behind, and the others are not', async () => {
  const { sql, session: open } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await open()
  const ears = new Set<(key: number | null) => void>()
  const tail = new Subscriber(sql as Pool, {
    publish: () => undefined,
    subscribe(ear) {
      ears.add(ear)
      return () => ears.delete(ear)
    },
    stop: async () => undefined
  })
  const signal = new AbortController().signal
  const slow = tail.follow(session.key, 0, signal)
  const quick = tail.follow(session.key, 0, signal)
  await write(sql, session, 1)
  for (const ear of ears) ear(session.key)
  expect((await slow.next()).value).toMatchObject({ seq: 1 })
  expect((await quick.next()).value).toMatchObject({ seq: 1 })
  await write(sql, session, 2_500)
  for (const ear of ears) ear(session.key)
  for (let seq = 2; seq <= 2_501; seq++) expect((await quick.next()).value).toMatchObject({ seq })
  let read = 1
  for await (const event of slow) {
    expect(event).toMatchObject({ seq: ++read })
  }
  expect(read).toBeLessThan(2_501)
  tail.stop()
})

/** Puts this many events into a session's log at once. */
const write = (sql: Pool, { key }: TestSession, count: number) => sql`
  with moved as (update heads set seq = seq + ${count} where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq - ${count} + n, 'session', '{"title": "x"}', clock_timestamp() from moved, generate_series(1, ${count}) n`

test('compaction leaves the message alone whose failed step is being retried', async () => {
  const {
    ctx,
    sql,
    model,
    session: open
  } = await testWorld({ script: [fails(401), holds('Here I am after all')] })
  const session = await open()
  await session.says('hello')
  const old = await sql`
    update messages set done_at = done_at - interval '11 minutes' where role = 'assistant' returning id`
  expect(old).toHaveLength(1)
  const ended = session.ends()
  await retryTurn(ctx, { sessionId: session.id })
  await session.reads('all')
  expect((await session.said()).join('')).toContain('Here I am')
  await compactMessages(ctx)
  model.release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect((await session.said()).join('')).toContain('Here I am after all')
})

const fold = (events: readonly SessionEvent[], from: Transcript = emptyTranscript) =>
  events.reduce(applyEvent, from)

/** What people see of a transcript, without its times (the tests move them): what still streams is the fold's own business. */
const shown = ({ messages, calls, ...rest }: Transcript) => ({
  ...rest,
  calls: Object.values(calls).map(call => ({ ...call, since: '', deadline: '' })),
  messages: messages.map(({ message: { metadata, ...message } }) => ({
    ...message,
    createdAt: undefined,
    turnId: metadata?.turnId
  }))
})

/** A session with everything in it: questions, late answers, approvals, failures, stops, a queue, steering. */
async function eventful() {
  const outside = await startOtherSystem()
  const world = await testWorld({
    script: [
      calls(question, { name: 'web-fetch', input: { url: `${outside.url}/a` } }),
      says('Meanwhile, hello.'),
      fails(500),
      says('So tea.'),
      says('And a page.'),
      holds('A long'),
      says('Queued.'),
      calls({ name: 'nothing', input: {} }),
      says('Well then.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' }] } })
  const session = await world.session('test')
  await session.says('go')
  const ask = await session.waitsFor('ask-question')
  const approval = await session.waitsFor('web-fetch')
  await session.says('hello')
  await session.answer(ask, { output: { answer: 'tea' } })
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  await world.pass(60)
  await session.reads('So tea.')
  await session.ends()
  await session.answer(approval, { approved: true })
  await session.ends()
  await session.send('talk')
  await session.reads('A long')
  await session.send('next', { whenBusy: 'queue' })
  await session.send('taken back', { whenBusy: 'queue' })
  await session.cancel()
  await session.reads('Queued.')
  await session.reads('Well then.')
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  return { ...world, session }
}

test('a snapshot and what follows is the whole log, wherever it is cut (also when it was compacted)', async () => {
  const { ctx, session, pass } = await eventful()
  const log = await session.log()
  expect(log.map(event => event.seq)).toEqual(log.map((_, i) => i + 1))
  const whole = shown(fold(log))
  expect(shown(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(whole)
  for (let cut = 0; cut <= log.length; cut++) {
    const { messages, calls, outOfBand, ...rest } = fold(log.slice(0, cut))
    const snapshot = {
      ...rest,
      messages: messages.map(({ message }) => message),
      calls: Object.values(calls),
      outOfBand: Object.values(outOfBand)
    }
    expect(shown(fold(log.slice(cut), transcriptOf(snapshot))), `cut at ${cut}`).toEqual(whole)
  }
  await pass(11 * 60)
  await compactMessages(ctx)
  expect(shown(fold(await session.log()))).toEqual(whole)
  expect(shown(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(whole)
})

test('a snapshot taken while an answer streams, and what follows it, is the whole log', async () => {
  const { ctx, session: open } = await testWorld({
    script: [says('One two three four five six seven eight nine ten.', { pace: 30 })]
  })
  const session = await open()
  await session.send('hello')
  await session.reads('two')
  const snapshot = await snapshotOf(ctx, session.key)
  expect(snapshot.messages.at(-1)?.parts.at(-1)).toMatchObject({
    type: 'text',
    state: 'streaming',
    text: expect.stringMatching(/^One two/)
  })
  await session.sees(event => event.type === 'status' && event.outcome === 'done')
  const log = await session.log()
  const later = log.filter(event => event.seq > snapshot.cursor)
  expect(later.some(event => event.type === 'chunk' && event.chunk.type === 'text-delta')).toBe(true)
  expect(shown(fold(later, transcriptOf(snapshot)))).toEqual(shown(fold(log)))
})
