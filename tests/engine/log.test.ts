import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import {
  applyEvent,
  emptyTranscript,
  type Transcript,
  transcriptOf
} from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { compactMessages } from '#lib/features/data/compact-messages.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { snapshotOf } from '#lib/sessions/snapshot.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }

/** Returns the first event for a reader that starts after this cursor, or undefined if the log has none. */
async function firstAfter(
  { ctx }: Pick<TestServer, 'ctx'>,
  session: TestSession,
  cursor: number
): Promise<SessionEvent | undefined> {
  const stop = new AbortController()
  const stream = (await followSession(ctx, { sessionId: session.id, after: cursor }, stop.signal))[
    Symbol.asyncIterator
  ]()
  const result = await stream.next()
  stop.abort()
  await stream.return?.()
  return result.value
}

/** Returns two finished turns after compaction. */
async function compactedSession() {
  const server = await startTestServer({ script: [replyText('One two three.'), replyText('Four five six.')] })
  const session = await server.startSession()
  await session.runTurn('first')
  await session.runTurn('second')
  const before = await session.log()
  await server.advanceTime(11 * 60)
  await compactMessages(server.ctx)
  return { ...server, session, before, after: await session.log() }
}

test('the chunks of a finished message become one event at the position of the last one, and the transcript stays the same', async () => {
  const { ctx, sql, session, before, after: cursor } = await compactedSession()
  expect(cursor.length).toBeLessThan(before.length)
  expect(cursor.filter(event => event.type === 'chunk')).toEqual([])
  expect(cursor.map(event => event.seq)).toEqual(
    before.map(event => event.seq).filter(seq => cursor.some(event => event.seq === seq))
  )
  expect(cursor.at(-1)?.seq).toBe(before.at(-1)?.seq)
  expect(visible(fold(cursor))).toEqual(visible(fold(before)))
  expect(visible(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(visible(fold(before)))
  const [sizes] = await sql`select count(*)::int as events from events`
  expect(sizes?.events).toBe(cursor.length)
})

test('nothing is compacted earlier than ten minutes after its end, and nothing unfinished', async () => {
  const server = await startTestServer({ script: [replyText('One.'), replyThenHold('Two')] })
  const session = await server.startSession()
  await session.runTurn('first')
  await server.advanceTime(9 * 60)
  await session.send('second')
  await session.waitForText('Two')
  const before = await session.log()
  await compactMessages(server.ctx)
  expect(await session.log()).toEqual(before)
  await server.advanceTime(2 * 60)
  await compactMessages(server.ctx)
  const compactedLog = await session.log()
  expect(compactedLog.filter(event => event.type === 'chunk').length).toBeGreaterThan(0)
  expect(compactedLog.length).toBeLessThan(before.length)
})

test('a cursor at the border of a compacted range reads on, one inside gets a reset, and 0 always works', async () => {
  const { session, before, after: cursor, ...server } = await compactedSession()
  const keptSeqs = new Set(cursor.map(event => event.seq))
  const chunks = before.filter(event => event.type === 'chunk').map(event => event.seq)
  expect(chunks.length).toBeGreaterThan(6)
  for (const { seq } of before.slice(0, -1)) {
    const firstEvent = await firstAfter(server, session, seq)
    const isInside = chunks.includes(seq) && !keptSeqs.has(seq)
    if (isInside)
      expect(firstEvent, `after ${seq}`).toMatchObject({ type: 'reset', cursor: before.at(-1)?.seq })
    else expect(firstEvent?.seq, `after ${seq}`).toBe(cursor.find(event => event.seq > seq)?.seq)
  }
  expect(await firstAfter(server, session, 0)).toMatchObject({ seq: 1 })
})

test('a cursor above the log, or from an earlier generation, gets a reset; seq never restarts', async () => {
  const {
    startSession: openSession,
    reopenSession,
    ...server
  } = await startTestServer({ script: [replyText('One.'), replyText('Two.')] })
  const session = await openSession()
  await session.runTurn('first')
  const last = (await session.log()).at(-1)?.seq ?? 0
  expect(await firstAfter(server, session, last + 100)).toMatchObject({ type: 'reset', cursor: last })
  await deleteSession(server.ctx, { sessionId: session.id })
  // As long as this reader is connected, a later one gets a reset instead of single events.
  await session.streamEnd
  await createSession(server.ctx, { sessionId: session.id, agentId: 'guide' })
  expect(await firstAfter(server, session, last)).toMatchObject({
    type: 'reset',
    messages: [],
    calls: [],
    status: 'idle'
  })
  expect(await firstAfter(server, session, 1)).toMatchObject({ type: 'reset' })
  const reopened = await reopenSession(session.id)
  await reopened.runTurn('second')
  expect((await reopened.log())[0]?.seq).toBeGreaterThan(last)
  expect(await reopened.agentTexts()).toEqual(['Two.'])
  expect(await firstAfter(server, session, 0)).toMatchObject({ seq: (await reopened.log())[0]?.seq })
})

test('a follower sees the deletion of its session: the stream ends, and the turn writes nothing more', async () => {
  const {
    ctx,
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('Half')] })
  const session = await openSession()
  await session.send('hello')
  await session.waitForText('Half')
  await deleteSession(ctx, { sessionId: session.id })
  await session.streamEnd
  model.release()
  await (await model.request(0)).ended
  for (const table of ['events', 'messages', 'calls', 'inbox', 'context', 'turns', 'receipts', 'deliveries'])
    expect(await sql`select from ${sql(table)} where session_key = ${session.key}`, table).toHaveLength(0)
})

test('a follower gets a reset if its session is deleted and created again', async () => {
  const { ctx, startSession: openSession } = await startTestServer({ script: [replyText('One.')] })
  const session = await openSession()
  await session.runTurn('hello')
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
  // A reader that looks between deletion and creation finds no session, and its stream ends.
  expect(await stream.next()).toMatchObject({ done: false, value: { type: 'reset', messages: [] } })
  stop.abort()
})

test('a reader that does not read is dropped when it is two thousand events behind, and other readers continue', async () => {
  const { sql, startSession: openSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await openSession()
  const listeners = new Set<(key: number | null) => void>()
  const tail = new Subscriber(sql as Pool, {
    publish: () => undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: async () => undefined
  })
  const signal = new AbortController().signal
  const slowReader = tail.follow(session.key, 0, signal)
  const quickReader = tail.follow(session.key, 0, signal)
  await write(sql, session, 1)
  for (const listener of listeners) listener(session.key)
  expect((await slowReader.next()).value).toMatchObject({ seq: 1 })
  expect((await quickReader.next()).value).toMatchObject({ seq: 1 })
  await write(sql, session, 2_500)
  for (const listener of listeners) listener(session.key)
  for (let seq = 2; seq <= 2_501; seq++) expect((await quickReader.next()).value).toMatchObject({ seq })
  let readCount = 1
  for await (const event of slowReader) {
    expect(event).toMatchObject({ seq: ++readCount })
  }
  expect(readCount).toBeLessThan(2_501)
  tail.stop()
})

/** Adds this many events to a session’s log at once. */
const write = (sql: Pool, { key }: TestSession, count: number) => sql`
  with moved as (update heads set seq = seq + ${count} where session_key = ${key} returning seq)
  insert into events (session_key, seq, type, payload, at)
  select ${key}, moved.seq - ${count} + n, 'session', '{"title": "x"}', clock_timestamp() from moved, generate_series(1, ${count}) n`

test('compaction skips a message whose failed step is being retried', async () => {
  const {
    ctx,
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyError(401), replyThenHold('Here I am after all')] })
  const session = await openSession()
  await session.runTurn('hello')
  const makeOld = await sql`
    update messages set done_at = done_at - interval '11 minutes' where role = 'assistant' returning id`
  expect(makeOld).toHaveLength(1)
  const ended = session.waitForEnd()
  await retryTurn(ctx, { sessionId: session.id })
  await session.waitForText('all')
  expect((await session.agentTexts()).join('')).toContain('Here I am')
  await compactMessages(ctx)
  model.release()
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect((await session.agentTexts()).join('')).toContain('Here I am after all')
})

const fold = (events: readonly SessionEvent[], start: Transcript = emptyTranscript) =>
  events.reduce(applyEvent, start)

/**
 * Returns what users see of a transcript, without times, which the tests change, and without the fold’s
 * streaming state.
 */
const visible = ({ messages, calls, ...rest }: Transcript) => ({
  ...rest,
  calls: Object.values(calls).map(call => ({ ...call, since: '', deadline: '' })),
  messages: messages.map(({ message: { metadata, ...message } }) => ({
    ...message,
    createdAt: undefined,
    turnId: metadata?.turnId
  }))
})

/** Returns a session with questions, late answers, approvals, failures, stops, a queue and steering. */
async function eventfulSession() {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [
      replyCalls(question, { name: 'web-fetch', input: { url: `${externalServer.url}/a` } }),
      replyText('Meanwhile, hello.'),
      replyError(500),
      replyText('So tea.'),
      replyText('And a page.'),
      replyThenHold('A long'),
      replyText('Queued.'),
      replyCalls({ name: 'nothing', input: {} }),
      replyText('Well then.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({
    chat: { tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' }] }
  })
  const session = await server.startSession('test')
  await session.runTurn('go')
  const questionCall = await session.waitForCall('ask-question')
  const approval = await session.waitForCall('web-fetch')
  await session.runTurn('hello')
  await session.answer(questionCall, { output: { answer: 'tea' } })
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await server.advanceTime(60)
  await session.waitForText('So tea.')
  await session.waitForEnd()
  await session.answer(approval, { approved: true })
  await session.waitForEnd()
  await session.send('talk')
  await session.waitForText('A long')
  await session.send('next', { whenBusy: 'queue' })
  await session.send('taken back', { whenBusy: 'queue' })
  await session.cancel()
  await session.waitForText('Queued.')
  await session.waitForText('Well then.')
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  return { ...server, session }
}

test('a snapshot and the events after it give the whole log, wherever it is cut, even after compaction', async () => {
  const { ctx, session, advanceTime } = await eventfulSession()
  const log = await session.log()
  expect(log.map(event => event.seq)).toEqual(log.map((_, i) => i + 1))
  const fullTranscript = visible(fold(log))
  expect(visible(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(fullTranscript)
  for (let cut = 0; cut <= log.length; cut++) {
    const { messages, calls, outOfBand, ...rest } = fold(log.slice(0, cut))
    const snapshot = {
      ...rest,
      messages: messages.map(({ message }) => message),
      calls: Object.values(calls),
      outOfBand: Object.values(outOfBand)
    }
    expect(visible(fold(log.slice(cut), transcriptOf(snapshot))), `cut at ${cut}`).toEqual(fullTranscript)
  }
  await advanceTime(11 * 60)
  await compactMessages(ctx)
  expect(visible(fold(await session.log()))).toEqual(fullTranscript)
  expect(visible(transcriptOf(await snapshotOf(ctx, session.key)))).toEqual(fullTranscript)
})

test('a snapshot taken while an answer streams, with the events after it, gives the whole log', async () => {
  const { ctx, startSession: openSession } = await startTestServer({
    script: [replyText('One two three four five six seven eight nine ten.', { pace: 30 })]
  })
  const session = await openSession()
  await session.send('hello')
  await session.waitForText('two')
  const snapshot = await snapshotOf(ctx, session.key)
  expect(snapshot.messages.at(-1)?.parts.at(-1)).toMatchObject({
    type: 'text',
    state: 'streaming',
    text: expect.stringMatching(/^One two/)
  })
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  const log = await session.log()
  const laterEvents = log.filter(event => event.seq > snapshot.cursor)
  expect(laterEvents.some(event => event.type === 'chunk' && event.chunk.type === 'text-delta')).toBe(true)
  expect(visible(fold(laterEvents, transcriptOf(snapshot)))).toEqual(visible(fold(log)))
})
