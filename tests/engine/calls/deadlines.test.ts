import { expect, test } from 'vitest'
import { runDeadlineJob } from '#lib/engine/calls/deadline.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdHead, lockWaits } from '#tests/support/servers/lock-waits.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const day = 86_400
const question = { name: 'ask-question', input: { question: 'Tea?' } }
/** Returns the seconds from `since` to the deadline. */
const wait = (call: { since: string; deadline: string }) =>
  (Date.parse(call.deadline) - Date.parse(call.since)) / 1000

async function sessionWithQuestion(settings: Record<string, string> = {}) {
  const server = await startTestServer({ script: [replyCalls(question), replyText('Then not.')], settings })
  const session = await server.startSession()
  await session.runTurn('offer')
  return { ...server, session, call: await session.waitForCall('ask-question') }
}

/** Removes the deadline jobs, so that only a request can notice that a deadline has passed. */
const stopClock = ({ sql }: Pick<TestServer, 'sql'>) =>
  sql`delete from graphile_worker._private_jobs where key like 'deadline:%'`

test('every kind of call opens with its deadline and declared outcome', async () => {
  const { saveAgent, startSession: openSession } = await startTestServer({
    script: [
      replyCalls(
        question,
        { name: 'web-fetch', input: { url: 'http://a.example/' } },
        { name: 'client-info', input: {} },
        { name: 'dispatch', input: {} }
      )
    ]
  })
  await saveAgent({
    chat: {
      tools: [
        { name: 'ask-question' },
        { name: 'web-fetch', approval: 'ask', deadlineSeconds: 3600 },
        { name: 'client-info' },
        {
          name: 'dispatch',
          where: 'external',
          description: '',
          inputSchema: { type: 'object' },
          url: 'http://127.0.0.1:1/',
          retries: 0
        }
      ]
    }
  })
  const session = await openSession('test')
  await session.runTurn('go')
  const pendingCalls = (await session.get()).session.waitingFor
  expect(pendingCalls.map(call => [call.toolName, call.kind, wait(call), call.onDeadline])).toEqual([
    ['web-fetch', 'approval', 3600, 'declined'],
    ['client-info', 'client', day, 'error'],
    ['dispatch', 'external', day, 'error'],
    ['ask-question', 'question', 7 * day, 'declined']
  ])
})

test('the deadline settles the declared outcome without a request, and the model receives a definite result', async () => {
  const { sql, model, session, call, advanceTime } = await sessionWithQuestion()
  const ended = session.waitForEnd()
  await advanceTime(7 * day)
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'expired',
    via: 'deadline',
    answeredBy: 'the deadline'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests[1]?.body.messages).toContainEqual(
    expect.objectContaining({
      role: 'tool',
      tool_call_id: call.toolCallId,
      content: expect.stringMatching(/\S/)
    })
  )
  await expectValidSessions(sql)
})

test('an answer past the deadline settles the declared outcome in its own transaction, and has lost', async () => {
  const server = await sessionWithQuestion()
  const { sql, session, call, advanceTime } = server
  await stopClock(server)
  await advanceTime(7 * day)
  await expect(session.answer(call, { output: { answer: 'yes' } })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'expired', answeredBy: 'the deadline' } }
  })
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  await expectValidSessions(sql)
})

test('an answer just before the deadline is accepted', async () => {
  const server = await sessionWithQuestion()
  await stopClock(server)
  await server.advanceTime(7 * day - 60)
  expect(await server.session.answer(server.call, { output: { answer: 'yes' } })).toMatchObject({
    state: 'answered'
  })
})

test('an answer that waits for the lock until the deadline has lost: the clock is read when it has the lock', async () => {
  const server = await sessionWithQuestion()
  const { sql, session, call } = server
  await stopClock(server)
  const lock = await holdHead(sql, session.key)
  const answering = session.answer(call, { output: { answer: 'yes' } })
  const answerLost = expect(answering).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'expired', answeredBy: 'the deadline' } }
  })
  await lockWaits(sql, 1)
  // The answer was sent before the deadline; the deadline passes just as the answer gets the lock.
  await sql`update calls set deadline = clock_timestamp() where tool_call_id = ${call.toolCallId}`
  await lock.release()
  await answerLost
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  await expectValidSessions(sql)
})

test.each([
  ['the answer', 0],
  ['the deadline', 1]
])(
  'if answer and deadline reach the call at the same moment, %s first, the declared outcome settles it once',
  async (_order, answer) => {
    const server = await sessionWithQuestion()
    const { ctx, sql, session, call } = server
    await stopClock(server)
    const lock = await holdHead(sql, session.key)
    const runDeadline = () => runDeadlineJob(ctx, { sessionKey: session.key, toolCallId: call.toolCallId })
    const answers = () =>
      expect(session.answer(call, { output: { answer: 'yes' } })).rejects.toMatchObject({
        code: 'ALREADY_SETTLED',
        extra: { winner: { state: 'expired' } }
      })
    const results: Promise<void>[] = []
    for (const [i, expectation] of (answer === 0
      ? [answers, runDeadline]
      : [runDeadline, answers]
    ).entries()) {
      results.push(expectation())
      await lockWaits(sql, i + 1)
    }
    await sql`update calls set deadline = clock_timestamp() where tool_call_id = ${call.toolCallId}`
    await lock.release()
    await Promise.all(results)
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
    const settledEvents = session.events.filter(
      event => event.type === 'call' && event.call.state === 'expired'
    )
    expect(settledEvents).toHaveLength(1)
    await expectValidSessions(sql)
  }
)

test('a deadline and eight answers at the same moment settle the call once', async () => {
  const { sql, session, call, advanceTime } = await sessionWithQuestion()
  const ended = session.waitForEnd()
  const [, ...results] = await Promise.all([
    advanceTime(7 * day),
    ...Array.from({ length: 8 }, (_, i) =>
      session.answer(call, { output: { answer: `${i}` } }).catch(() => undefined)
    )
  ])
  await ended
  expect(results.filter(result => result !== undefined).length).toBeLessThanOrEqual(1)
  await expectValidSessions(sql)
})

test('a deadline job that runs early, twice or late settles only calls that are due', async () => {
  const { sql, session, call } = await sessionWithQuestion()
  const addJob = () =>
    sql`select graphile_worker.add_job('deadline', ${{ sessionKey: session.key, toolCallId: call.toolCallId }}::json)`
  const done = () =>
    expect
      .poll(
        async () =>
          (await sql`select from graphile_worker.jobs where task_identifier = 'deadline' and key is null`)
            .length
      )
      .toBe(0)
  await addJob()
  await done()
  expect((await session.get()).session.waitingFor).toEqual([call])
  expect(
    await sql`select from graphile_worker.jobs where key = ${`deadline:${session.key}:${call.toolCallId}`}`
  ).toHaveLength(1)
  await session.answer(call, { output: { answer: 'yes' } })
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  const before = await session.log()
  await addJob()
  await done()
  expect(await session.log()).toEqual(before)
})

test('a warning is sent once at 80 % of the wait, and once more after an extension', async () => {
  const { sql, session, call, advanceTime } = await sessionWithQuestion()
  const nextCall = session.waitForNextEvent(event => event.type === 'call')
  await advanceTime(6 * day)
  expect(await nextCall).toMatchObject({ call: { toolCallId: call.toolCallId, state: 'open' } })
  const [row] =
    await sql`select warned_at is not null as warned from calls where tool_call_id = ${call.toolCallId}`
  expect(row).toEqual({ warned: true })
  await session.extend(call, 10 * day)
  const [extendedCall] =
    await sql`select warned_at is not null as warned from calls where tool_call_id = ${call.toolCallId}`
  expect(extendedCall).toEqual({ warned: false })
  const nextWarning = session.waitForNextEvent(event => event.type === 'call')
  await advanceTime(9 * day)
  expect(await nextWarning).toMatchObject({ call: { state: 'open' } })
})

test('an extension moves the deadline and its job; nothing happens at the old time', async () => {
  const { sql, session, call, advanceTime } = await sessionWithQuestion()
  const { deadline } = await session.extend(call, 20 * day)
  expect(Date.parse(deadline) - Date.now()).toBeGreaterThan(19.9 * day * 1000)
  await advanceTime(8 * day)
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where run_at < now()`).length)
    .toBe(0)
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, state: 'open' }
  ])
  await advanceTime(12 * day)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired' })
})

test('an extension ends at most 30 days after the call opened', async () => {
  const { session, call, ctx } = await sessionWithQuestion()
  const { extendCall } = await import('#lib/engine/calls/extend.ts')
  await session.extend(call, 30 * day)
  const { deadline } = await extendCall(ctx, {
    sessionId: session.id,
    toolCallId: call.toolCallId,
    until: '2999-01-01T00:00:00Z'
  })
  expect(wait({ since: call.since, deadline })).toBe(30 * day)
})

test('a deadline cannot move into the past, and a request needs exactly one of until and seconds', async () => {
  const { session, call, ctx } = await sessionWithQuestion()
  const { extendCall } = await import('#lib/engine/calls/extend.ts')
  const extend = (options: object) =>
    extendCall(ctx, { sessionId: session.id, toolCallId: call.toolCallId, ...options })
  await expect(extend({ until: '2001-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(extend({})).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(extend({ seconds: 60, until: '2999-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect((await session.get()).session.waitingFor).toEqual([call])
})

test('an extension past the deadline is too late and settles the declared outcome at once', async () => {
  const server = await sessionWithQuestion()
  await stopClock(server)
  await server.advanceTime(7 * day)
  await expect(server.session.extend(server.call, 60)).rejects.toMatchObject({
    code: 'ALREADY_SETTLED',
    extra: { winner: { state: 'expired' } }
  })
  expect(await server.session.waitForSettled(server.call)).toMatchObject({ state: 'expired' })
})
