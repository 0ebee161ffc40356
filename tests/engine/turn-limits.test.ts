import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const missingTool = (n: number) => ({ name: 'nothing', input: { n } })
const question = { name: 'ask-question', input: { question: 'Tea?' } }
const promptText = (request: { body: { messages: unknown } } | undefined) =>
  JSON.stringify(request?.body.messages)

/** Returns a session whose model calls a missing tool in every step; each result starts the next step. */
async function loopingSession(
  limits: { stepsPerTurn?: number; usdPerTurn?: number },
  tokens = { input: 20, output: 10 },
  egress = ''
) {
  const server = await startTestServer({
    script: (_request, index) =>
      ({ ...replyCalls(missingTool(index)), tokens }) as ReturnType<typeof replyCalls>,
    settings: { WAYSTATION_EGRESS_ALLOW: egress }
  })
  await server.saveAgent({
    chat: {
      tools: [{ name: 'ask-question' }, { name: 'web-fetch', approval: 'ask' }],
      price: { inputPerMillion: 1000, outputPerMillion: 0 },
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 120_000, ...limits }
    }
  })
  return { ...server, session: await server.startSession('test') }
}

test('after 25 steps without new input the turn pauses and asks whether to continue', async () => {
  const { sql, model, session } = await loopingSession({ usdPerTurn: 0 })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked', status: 'parked' })
  expect(model.requests).toHaveLength(25)
  const call = await session.waitForCall('continue')
  expect(call).toMatchObject({
    kind: 'limit',
    where: 'approver',
    input: { reason: expect.stringMatching(/\b25\b/) }
  })
  expect(promptText(model.requests[24])).not.toContain('"continue"')
  await expectValidSessions(sql)
})

test('the turn also pauses at the cost cap', async () => {
  const { model, session } = await loopingSession({ usdPerTurn: 0.1 }, { input: 50, output: 10 })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(2)
  expect(await session.waitForCall('continue')).toMatchObject({
    input: { reason: expect.stringContaining('$0.10') }
  })
})

test('after an approval it continues for the same budget in the same message, and asks again at the next limit', async () => {
  const { sql, model, session } = await loopingSession({ stepsPerTurn: 3 })
  await session.runTurn('go')
  const parked = session.waitForEnd()
  await session.answer(await session.waitForCall('continue'), { approved: true })
  expect(await parked).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(6)
  const second = await session.waitForCall('continue')
  expect((await session.get()).session.waitingFor.map(call => call.toolCallId)).toEqual([second.toolCallId])
  expect((await session.get()).messages).toHaveLength(2)
  await expectValidSessions(sql)
})

test('after a denial it stays paused; a message resumes it, and the model is informed', async () => {
  const { sql, model, session } = await loopingSession({ stepsPerTurn: 3 })
  await session.runTurn('go')
  await session.answer(await session.waitForCall('continue'), { approved: false })
  expect(model.requests).toHaveLength(3)
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  model.setScript([replyText('Stopped, then.')])
  expect(await session.runTurn('what now?')).toMatchObject({ outcome: 'done' })
  expect(promptText(model.requests[3])).toContain('chose not to continue')
  await expectValidSessions(sql)
})

test('a message answers "continue?": the turn continues at once with a new budget, and asks again at its end', async () => {
  const { sql, model, session } = await loopingSession({ stepsPerTurn: 3 })
  await session.runTurn('go')
  const first = await session.waitForCall('continue')
  expect(await session.runTurn('do go on')).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(6)
  expect(await session.waitForSettled(first)).toMatchObject({ state: 'approved', answeredBy: 'Ann' })
  expect((await session.get()).session.waitingFor).toHaveLength(1)
  await expectValidSessions(sql)
})

test('late answers alone cannot keep an agent running: at the limit it asks, and waits for a decision', async () => {
  const { sql, model, session, advanceTime } = await loopingSession({ stepsPerTurn: 1 })
  model.setScript([replyCalls(question), replyText('Hello.'), replyText('Late tea.')])
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('hello')
  const questionCall = session.waitForCall('continue')
  await session.answer(call, { output: { answer: 'tea' } })
  const limit = await questionCall
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'parked' && event.seq > 0)
  await advanceTime(3600)
  await expect
    .poll(async () => (await sql`select from heads where owner is not null or turn_id is not null`).length)
    .toBe(0)
  // The number of events can shrink meanwhile, when old chunks are compacted.
  const newest = async () => (await session.log()).at(-1)?.seq
  const last = await newest()
  await sql`select graphile_worker.add_job('requeue-runnable')`
  await sql`select graphile_worker.add_job('wake', ${{ sessionKey: session.key }}::json)`
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where run_at <= now()`).length)
    .toBe(0)
  expect(await newest()).toBe(last)
  expect(endsOf(await session.log()).length).toBeLessThanOrEqual(4)

  await session.answer(limit, { approved: true })
  await session.waitForText('Late tea.')
  expect(promptText(model.requests[2])).toMatch(/call_answer.*tea/)
  await expectValidSessions(sql)
})

test('a denial with pending late answers leaves it paused, and the next message delivers them', async () => {
  const { sql, model, session } = await loopingSession({ stepsPerTurn: 1 })
  model.setScript([replyCalls(question), replyText('Hello.'), replyText('Late tea.')])
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await session.runTurn('hello')
  const questionCall = session.waitForCall('continue')
  await session.answer(call, { output: { answer: 'tea' } })
  await session.answer(await questionCall, { approved: false })
  await expect
    .poll(
      async () =>
        (await sql`select from heads where owner is not null or turn_id is not null or has_work > 0`).length
    )
    .toBe(0)
  expect(model.requests).toHaveLength(2)
  expect((await session.get()).session.waitingFor).toEqual([])
  expect(await session.runTurn('and?')).toMatchObject({ outcome: 'done' })
  expect(promptText(model.requests[2])).toMatch(/call_answer.*tea/)
  await expectValidSessions(sql)
})

test('a late answer after a stop at the limit still asks, and the session does not loop', async () => {
  const { sql, model, session } = await loopingSession({ stepsPerTurn: 1 })
  model.setScript([replyCalls(question), replyThenHold('Hello')])
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await session.send('hello')
  await session.waitForText('Hello')
  const turnEnd = session.waitForEnd()
  await session.cancel()
  await turnEnd
  const questionCall = session.waitForCall('continue')
  await session.answer(call, { output: { answer: 'tea' } })
  expect((await session.get()).messages.map(message => message.id)).toContain((await questionCall).messageId)
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
})

test('a call that a user approves while "continue?" is open runs, even if a critical message is pending', async () => {
  const externalServer = await startExternalSystem((response, path) => response.end(`the page ${path}`))
  const { model, session, ctx } = await loopingSession({ stepsPerTurn: 1 }, undefined, externalServer.host)
  const fetch = { name: 'web-fetch', input: { url: `${externalServer.url}/page` } }
  model.setScript([replyCalls(fetch), replyCalls(missingTool(1))])
  await session.runTurn('fetch it')
  const approval = await session.waitForCall('web-fetch')
  expect(await session.runTurn('and go on')).toMatchObject({ outcome: 'parked' })
  await session.waitForCall('continue')
  const { status } = await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId: session.id, content: 'It burns.', priority: 'critical', sourceId: 'ci' })
  )
  expect(status).toBe('visible')
  await session.answer(approval, { approved: true })
  const toolEvent = await session.waitForEvent(
    event => event.type === 'call' && event.call.toolName === 'web-fetch' && event.call.ranAt !== undefined
  )
  expect(toolEvent).toMatchObject({ call: { state: 'approved' } })
  expect(externalServer.requests).toHaveLength(1)
})

test('a step that failed and was retried is counted once', async () => {
  const { model, session, advanceTime } = await loopingSession({ stepsPerTurn: 3 })
  const step = (n: number) => replyCalls(missingTool(n))
  model.setScript([step(0), replyError(500), replyError(500), step(1), step(2)])
  const parked = session.waitForEnd()
  await session.send('go')
  for (let tries = 1; tries <= 2; tries++) {
    await expect
      .poll(() => session.events.filter(event => event.type === 'status' && event.retryAt).length)
      .toBe(tries)
    await advanceTime(120)
  }
  expect(await parked).toMatchObject({ outcome: 'parked' })
  expect(await session.waitForCall('continue')).toMatchObject({
    input: { reason: expect.stringMatching(/\b3\b/) }
  })
  expect(model.requests).toHaveLength(5)
})

test('"retry now" at the limit retries the step, and the session does not loop', async () => {
  const { sql, model, session, ctx } = await loopingSession({ stepsPerTurn: 1 })
  model.setScript([replyError(401), replyText('Better.')])
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'failed' })
  const ended = session.waitForEnd()
  await retryTurn(ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  await expect.poll(() => isServerIdle(sql)).toBe(true)
  await expectValidSessions(sql)
})
