import { expect, test } from 'vitest'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import {
  type Reply,
  replyCalls,
  replyError,
  replyText,
  replyThenHold
} from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdBeats } from '#tests/support/servers/lock-waits.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a cancel stops a streaming turn with one terminal event, and its partial text stays', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: [replyThenHold('One two three'), replyText('Going on.')] })
  const session = await openSession()
  await session.send('count')
  await session.waitForText('three')
  const { turnId } = await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ turnId, outcome: 'cancelled', status: 'idle' })
  expect(await (await model.request(0)).ended).toBe('disconnected')
  expect(endsOf(await session.log()).filter(end => end.turnId === turnId)).toHaveLength(1)
  expect(await session.agentTexts()).toEqual(['One two three'])

  await session.runTurn('go on')
  const promptText = JSON.stringify((await model.request(1)).body.messages)
  expect(promptText).toContain('One two three')
  expect(promptText.match(/"role":"user"/g)?.length).toBeGreaterThan(1)
  await expectValidSessions(sql)
})

test('a cancel in another process reaches the turn with its next heartbeat or append', async () => {
  const {
    sql,
    ctx,
    startSession: openSession,
    startSecondServer,
    reopenSession
  } = await startTestServer({
    script: [replyThenHold('One')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const web = await startSecondServer({ WAYSTATION_ROLE: 'web' })
  const session = await openSession()
  await session.send('count')
  await session.waitForText('One')
  const reopened = await reopenSession(session.id, web.ctx)
  const ended = session.waitForEnd()
  await reopened.cancel()
  expect(await ended).toMatchObject({ outcome: 'cancelled' })
  expect(ctx).not.toBe(web.ctx)
  await expectValidSessions(sql)
})

test('a cancel while a tool runs aborts the tool, and the model learns that its outcome is unknown', async () => {
  const externalServer = await startExternalSystem(() => undefined)
  const {
    sql,
    model,
    saveAgent,
    startSession: openSession
  } = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } }),
      replyText('I see.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await openSession('test')
  await session.send('fetch it')
  await externalServer.request(0)
  const call = await session.waitForCall('web-fetch')
  await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled', status: 'idle' })
  const settledCall = await session.waitForSettled(call)
  expect(settledCall).toMatchObject({ state: 'failed', errorText: expect.any(String) })
  await session.runTurn('and now?')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain(settledCall.errorText)
  expect(externalServer.requests).toHaveLength(1)
  await expectValidSessions(sql)
})

test('a cancel while the turn waits for its retry ends the turn, and no retry follows', async () => {
  const {
    sql,
    model,
    startSession: openSession,
    advanceTime
  } = await startTestServer({
    script: [replyError(429, { headers: { 'retry-after': '600' } }), replyText('Hi.')]
  })
  const session = await openSession()
  await session.send('hello')
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  const { turnId } = await session.cancel()
  expect(await session.waitForEnd(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'idle' })
  await advanceTime(700)
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where task_identifier = 'retry'`).length)
    .toBe(0)
  expect(model.requests).toHaveLength(1)
  expect(await session.runTurn('again')).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('hello')
  await expectValidSessions(sql)
})

test('without a live owner the cancel itself writes the terminal event, and the message stays in the conversation', async () => {
  const {
    sql,
    databaseUrl,
    startSession: openSession
  } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const session = await openSession()
  await session.send('say one')
  const { turnId } = await session.cancel()
  expect(await session.waitForEnd(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'idle' })

  await startTestServer({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
  expect(await session.runTurn('say two')).toMatchObject({ outcome: 'done' })
  expect(endsOf(await session.log())).toHaveLength(2)
  await expectValidSessions(sql)
})

test('a cancel fences a dead owner: if the owner returns, it can write nothing', async () => {
  const { sql, startSession: openSession } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await openSession()
  await session.send('say one')
  await sql`insert into workers (id, host, heartbeat_at) values ('dead', 'there', clock_timestamp() - interval '1 minute')`
  await sql`update heads set owner = 'dead', epoch = 7 where session_key = ${session.key}`
  const { turnId } = await session.cancel()
  expect(await session.waitForEnd(turnId ?? '')).toMatchObject({ outcome: 'cancelled' })
  expect(await sql`select owner, epoch from heads where session_key = ${session.key}`).toEqual([
    { owner: null, epoch: 8 }
  ])
})

test('the partial text of a dead owner stays after a cancel, no longer streams, and the model knows of it', async () => {
  const server = await startTestServer({
    script: [replyThenHold('One two three'), replyText('Going on.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const { server: worker } = await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  const session = await server.startSession()
  await session.send('count')
  await session.waitForText('three')
  // Simulates a killed worker: a dead worker owns the session, and this one can no longer write.
  await server.sql`insert into workers (id, host, heartbeat_at) values ('dead', 'there', clock_timestamp() - interval '1 hour')`
  await server.sql`update heads set owner = 'dead', epoch = epoch + 1 where session_key = ${session.key}`
  await session.cancel()
  const [message] = (await session.get()).messages.filter(({ role }) => role === 'assistant')
  expect(message?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'One two three', state: 'done' },
    { type: 'data-notice', data: { kind: 'stopped' } }
  ])
  await worker.stop()

  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  await session.runTurn('go on')
  expect(JSON.stringify((await server.model.request(1)).body.messages)).toContain('One two three')
  await expectValidSessions(server.sql)
})

test('twenty cancels at once have one effect, and cancelling a finished turn does nothing', async () => {
  const { startSession: openSession } = await startTestServer({ script: [replyThenHold('One')] })
  const session = await openSession()
  await session.send('count')
  await session.waitForText('One')
  const ended = session.waitForEnd()
  const results = await Promise.all(Array.from({ length: 20 }, () => session.cancel()))
  const turnId = (await ended).turnId
  expect(new Set(results.map(result => result.turnId).filter(id => id !== null))).toEqual(new Set([turnId]))
  expect(await session.cancel()).toEqual({ turnId: null })
  expect(endsOf(await session.log())).toHaveLength(1)
})

test('a cancel at the natural end of a turn leaves one terminal event, whichever comes first', async () => {
  const {
    sql,
    model,
    startSession: openSession
  } = await startTestServer({ script: Array.from({ length: 12 }, (_, i) => replyText(`${i}`)) })
  const session = await openSession()
  for (let i = 0; i < 12; i++) {
    const ended = session.waitForEnd()
    await session.send(`message ${i}`)
    if (i % 3 === 0) await model.request(i)
    if (i % 3 === 1)
      await session.waitForNextEvent(event => event.type === 'chunk' && event.chunk.type === 'text-delta')
    if (i % 3 === 2)
      await session.waitForNextEvent(event => event.type === 'chunk' && event.chunk.type === 'finish-step')
    await session.cancel()
    expect(['done', 'cancelled']).toContain((await ended).outcome)
  }
  expect(endsOf(await session.log())).toHaveLength(12)
  await expectValidSessions(sql)
})

test('open calls survive a cancel; with calls: true each is settled as cancelled, and the model is informed', async () => {
  const question = { name: 'ask-question', input: { question: 'Tea?' } }
  const script: Reply[] = [replyCalls(question), replyThenHold('Well'), replyText('As you like.')]
  const { sql, model, startSession: openSession } = await startTestServer({ script })
  const session = await openSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const { turnId } = await session
    .send('hello')
    .then(() => session.waitForText('Well'))
    .then(() => session.cancel())
  expect(await session.waitForEnd(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'parked' })
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, deadline: call.deadline, state: 'open' }
  ])

  const ended = session.waitForEnd()
  await session.cancel(true)
  expect(await session.waitForSettled(call)).toMatchObject({
    state: 'cancelled',
    answeredBy: 'Ann',
    via: 'cancel'
  })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain(
    (await session.waitForSettled(call)).errorText
  )
  await expect(session.answer(call, { output: { answer: 'yes' } })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED'
  })
  await expectValidSessions(sql)
})

test('a cancel that names a turn leaves other turns alone', async () => {
  const { startSession: openSession, ctx } = await startTestServer({
    script: [replyText('One'), replyThenHold('Two')]
  })
  const session = await openSession()
  const first = await session.runTurn('one')
  await session.send('two')
  await session.waitForText('Two')
  expect(await cancelTurn(ctx, { sessionId: session.id, turnId: first.turnId, calls: false })).toEqual({
    turnId: null
  })
  expect((await session.get()).session.status).toBe('running')
})

test('a turn in the same process receives a cancel at once, not with its next heartbeat', async () => {
  const { startSession: openSession, sql } = await startTestServer({ script: () => replyThenHold('One') })
  const session = await openSession()
  for (let i = 0; i < 8; i++) {
    await session.send('count')
    await session.waitForNextEvent(event => event.type === 'chunk' && event.chunk.type === 'text-delta')
    // The lock stops heartbeats in the meantime.
    const heartbeatLock = await holdBeats(sql)
    await session.cancel()
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled' })
    await heartbeatLock.release()
  }
})
