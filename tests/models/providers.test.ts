import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import {
  type Reply,
  replyError,
  replyFiltered,
  replyText,
  replyThenCut,
  replyThenHold
} from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const failed = (session: TestSession) =>
  session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
const notices = async (session: TestSession) =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-notice' ? [part.data] : []))
  )

/** Returns a session whose provider first fails this way and then replies, after the first failure. */
async function failedSession(first: Reply) {
  const server = await startTestServer({ script: [first, replyText('Here I am.')] })
  const session = await server.startSession()
  await session.send('hello')
  return { ...server, session }
}

test('429 with Retry-After: the turn fails with the time of the retry, stays busy, and is retried automatically', async () => {
  const { sql, model, session, advanceTime } = await failedSession(
    replyError(429, { headers: { 'retry-after': '600' } })
  )
  const event = await failed(session)
  expect(event).toMatchObject({ status: 'failed', error: { code: 'RATE_LIMITED', retryable: true } })
  const view = await session.get()
  expect(Date.parse(view.retryAt ?? '') - Date.now()).toBeGreaterThan(590_000)
  expect(await notices(session)).toMatchObject([
    { kind: 'failed', code: 'RATE_LIMITED', retryAt: view.retryAt }
  ])
  await expect(session.send('are you there?')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(await session.send('then this', { whenBusy: 'queue' })).toMatchObject({ status: 'queued' })

  model.setScript([replyText('Here I am.'), replyText('And this.')])
  await advanceTime(601)
  await session.waitForText('And this.')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await session.agentTexts()).toEqual(['Here I am.', 'And this.'])
  expect(model.requests[1]?.body.messages).toEqual(model.requests[0]?.body.messages)
  await expectValidSessions(sql)
})

test('"retry now" does not wait for that time', async () => {
  const { ctx, sql, session } = await failedSession(replyError(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  const ended = session.waitForEnd()
  await retryTurn(ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.agentTexts()).toEqual(['Here I am.'])
  await expectValidSessions(sql)
})

test.each([
  ['a response with status 500', replyError(500), 'PROVIDER_DOWN'],
  ['a stream that ends early', replyThenCut('Half a sent'), 'CUT']
])(
  '%s is retried automatically, and nothing of the failed step is left in the transcript or the prompt',
  async (_label, reply, code) => {
    const { sql, model, session, advanceTime } = await failedSession(reply)
    expect(await failed(session)).toMatchObject({ error: { retryable: true, code } })
    const ended = session.waitForEnd()
    await advanceTime(60)
    expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(await session.agentTexts()).toEqual(['Here I am.'])
    expect(model.requests[1]?.body.messages).toEqual(model.requests[0]?.body.messages)
    await expectValidSessions(sql)
  }
)

test('after three retries the turn fails with one terminal event; the message stays, and "retry now" still works', async () => {
  const server = await startTestServer({
    script: [replyError(500), replyError(500), replyError(500), replyError(500), replyText('At last.')]
  })
  const session = await server.startSession()
  const ended = session.waitForEnd()
  await session.send('hello')
  for (let i = 0; i < 3; i++) {
    await expect
      .poll(() => session.events.filter(event => event.type === 'status' && event.retryAt).length)
      .toBe(i + 1)
    await server.advanceTime(120)
  }
  expect(await ended).toMatchObject({ outcome: 'failed', status: 'failed', error: { code: 'PROVIDER_DOWN' } })
  expect(server.model.requests).toHaveLength(4)
  const turnEnd = session.waitForEnd()
  await retryTurn(server.ctx, { sessionId: session.id })
  expect(await turnEnd).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.agentTexts()).toEqual(['At last.'])
  await expectValidSessions(server.sql)
})

test.each([
  ['an invalid API key', replyError(401), 'BAD_KEY'],
  ['a refusal', replyFiltered('I would rather'), 'REFUSED'],
  ['an empty account', replyError(429, { code: 'insufficient_quota' }), 'RATE_LIMITED']
])(
  '%s is not retried: it gives one readable failure, and the next message works',
  async (_label, reply, code) => {
    const server = await startTestServer({ script: [reply, replyText('Fine.')] })
    const session = await server.startSession()
    const end = await session.runTurn('hello')
    expect(end).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      error: { code, retryable: false, message: expect.stringMatching(/\w+ .*\./) }
    })
    expect(await notices(session)).toMatchObject([{ kind: 'failed', code }])
    expect(await session.runTurn('and now?')).toMatchObject({ outcome: 'done', status: 'idle' })
    const prompt = JSON.stringify(server.model.requests[1]?.body.messages)
    expect(prompt).toContain('hello')
    expect(prompt).toContain('and now?')
    await expectValidSessions(server.sql)
  }
)

test('a message that steers in while a retry waits retries at once', async () => {
  const { sql, model, session } = await failedSession(replyError(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  expect(await session.runTurn('please hurry', { whenBusy: 'steer' })).toMatchObject({
    outcome: 'done',
    status: 'idle'
  })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/hello.*please hurry/)
  await expectValidSessions(sql)
})

test('an interrupt while a retry waits ends that turn and answers the new message', async () => {
  const { sql, session } = await failedSession(replyError(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  await session.send('something else', { whenBusy: 'interrupt' })
  await session.waitForText('Here I am.')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await expectValidSessions(sql)
})

test('an agent whose model is not configured fails with an error that says what to do', async () => {
  const { saveAgent, startSession: openSession } = await startTestServer()
  await saveAgent({ chat: { model: 'nobody/nothing' } })
  const session = await openSession('test')
  expect(await session.runTurn('hello')).toMatchObject({
    outcome: 'failed',
    error: { code: 'NOT_CONFIGURED', message: expect.stringContaining('nobody') }
  })
})

test('a stopping worker hands its turns over, and the next worker calls the model at once', async () => {
  const {
    model,
    stopServer,
    startSession: openSession,
    startSecondServer
  } = await startTestServer({
    script: [replyThenHold('Half a'), replyText('All of it.')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const session = await openSession()
  await session.send('hello')
  await session.waitForText('Half a')
  const { ctx } = await startSecondServer()
  await stopServer()
  await model.request(1)
  const sql = ctx.sql as Pool
  expect(await sql`select crashes from turns`, 'handed over, not found dead').toEqual([{ crashes: 0 }])
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
})
