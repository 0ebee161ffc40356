import { expect, test } from 'vitest'
import type { Pool } from '#db/client.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { cuts, fails, filters, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import { atRest, expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { type TestSession, testWorld } from '#tests/support/servers/test-server.ts'

const failed = (session: TestSession) =>
  session.sees(event => event.type === 'status' && event.retryAt !== undefined)
const notices = async (session: TestSession) =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-notice' ? [part.data] : []))
  )

/** Returns a session whose provider first fails this way and then replies, after the first failure. */
async function failedSession(first: Reply) {
  const world = await testWorld({ script: [first, says('Here I am.')] })
  const session = await world.session()
  await session.send('hello')
  return { ...world, session }
}

test('429 with Retry-After: the turn fails with the time of the retry, stays busy, and is retried automatically', async () => {
  const { sql, model, session, pass } = await failedSession(fails(429, { headers: { 'retry-after': '600' } }))
  const event = await failed(session)
  expect(event).toMatchObject({ status: 'failed', error: { code: 'RATE_LIMITED', retryable: true } })
  const view = await session.get()
  expect(Date.parse(view.retryAt ?? '') - Date.now()).toBeGreaterThan(590_000)
  expect(await notices(session)).toMatchObject([
    { kind: 'failed', code: 'RATE_LIMITED', retryAt: view.retryAt }
  ])
  await expect(session.send('are you there?')).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  expect(await session.send('then this', { whenBusy: 'queue' })).toMatchObject({ status: 'queued' })

  model.play([says('Here I am.'), says('And this.')])
  await pass(601)
  await session.reads('And this.')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  expect(await session.said()).toEqual(['Here I am.', 'And this.'])
  expect(model.requests[1]?.body.messages).toEqual(model.requests[0]?.body.messages)
  await expectSoundSessions(sql)
})

test('"retry now" does not wait for that time', async () => {
  const { ctx, sql, session } = await failedSession(fails(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  const ended = session.ends()
  await retryTurn(ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.said()).toEqual(['Here I am.'])
  await expectSoundSessions(sql)
})

test.each([
  ['a 500', fails(500), 'PROVIDER_DOWN'],
  ['a stream that is cut', cuts('Half a sent'), 'CUT']
])(
  '%s is retried automatically, and nothing of the failed step is left in the transcript or the prompt',
  async (_label, reply, code) => {
    const { sql, model, session, pass } = await failedSession(reply)
    expect(await failed(session)).toMatchObject({ error: { retryable: true, code } })
    const ended = session.ends()
    await pass(60)
    expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(await session.said()).toEqual(['Here I am.'])
    expect(model.requests[1]?.body.messages).toEqual(model.requests[0]?.body.messages)
    await expectSoundSessions(sql)
  }
)

test('after three retries the turn fails with one terminal event; the message stays, and "retry now" still works', async () => {
  const world = await testWorld({
    script: [fails(500), fails(500), fails(500), fails(500), says('At last.')]
  })
  const session = await world.session()
  const ended = session.ends()
  await session.send('hello')
  for (let i = 0; i < 3; i++) {
    await expect
      .poll(() => session.events.filter(event => event.type === 'status' && event.retryAt).length)
      .toBe(i + 1)
    await world.pass(120)
  }
  expect(await ended).toMatchObject({ outcome: 'failed', status: 'failed', error: { code: 'PROVIDER_DOWN' } })
  expect(world.model.requests).toHaveLength(4)
  const turnEnd = session.ends()
  await retryTurn(world.ctx, { sessionId: session.id })
  expect(await turnEnd).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.said()).toEqual(['At last.'])
  await expectSoundSessions(world.sql)
})

test.each([
  ['a bad key', fails(401), 'BAD_KEY'],
  ['a refusal', filters('I would rather'), 'REFUSED'],
  ['an empty account', fails(429, { code: 'insufficient_quota' }), 'RATE_LIMITED']
])(
  '%s is not retried: it gives one readable failure, and the next message works',
  async (_label, reply, code) => {
    const world = await testWorld({ script: [reply, says('Fine.')] })
    const session = await world.session()
    const end = await session.says('hello')
    expect(end).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      error: { code, retryable: false, message: expect.stringMatching(/\w+ .*\./) }
    })
    expect(await notices(session)).toMatchObject([{ kind: 'failed', code }])
    expect(await session.says('and now?')).toMatchObject({ outcome: 'done', status: 'idle' })
    const prompt = JSON.stringify(world.model.requests[1]?.body.messages)
    expect(prompt).toContain('hello')
    expect(prompt).toContain('and now?')
    await expectSoundSessions(world.sql)
  }
)

test('a message that steers in while a retry waits retries at once', async () => {
  const { sql, model, session } = await failedSession(fails(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  expect(await session.says('please hurry', { whenBusy: 'steer' })).toMatchObject({
    outcome: 'done',
    status: 'idle'
  })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/hello.*please hurry/)
  await expectSoundSessions(sql)
})

test('an interrupt while a retry waits ends that turn and answers the new message', async () => {
  const { sql, session } = await failedSession(fails(429, { headers: { 'retry-after': '600' } }))
  await failed(session)
  await session.send('something else', { whenBusy: 'interrupt' })
  await session.reads('Here I am.')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  await expectSoundSessions(sql)
})

test('an agent whose model is not configured fails with an error that says what to do', async () => {
  const { agent, session: openSession } = await testWorld()
  await agent({ chat: { model: 'nobody/nothing' } })
  const session = await openSession('test')
  expect(await session.says('hello')).toMatchObject({
    outcome: 'failed',
    error: { code: 'NOT_CONFIGURED', message: expect.stringContaining('nobody') }
  })
})

test('a stopping worker hands its turns over, and the next worker calls the model at once', async () => {
  const {
    model,
    leave,
    session: openSession,
    second
  } = await testWorld({
    script: [holds('Half a'), says('All of it.')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const session = await openSession()
  await session.send('hello')
  await session.reads('Half a')
  const { ctx } = await second()
  await leave()
  await model.request(1)
  const sql = ctx.sql as Pool
  expect(await sql`select crashes from turns`, 'handed over, not found dead').toEqual([{ crashes: 0 }])
  await expect.poll(() => atRest(sql)).toBe(true)
  await expectSoundSessions(sql)
})
