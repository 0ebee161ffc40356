import { expect, test } from 'vitest'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, fails, holds, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import { endsOf, expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdBeats } from '#tests/support/servers/lock-waits.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

test('a cancel stops a streaming turn with one terminal event, and its partial text stays', async () => {
  const {
    sql,
    model,
    session: openSession
  } = await testWorld({ script: [holds('One two three'), says('Going on.')] })
  const session = await openSession()
  await session.send('count')
  await session.reads('three')
  const { turnId } = await session.cancel()
  expect(await session.ends()).toMatchObject({ turnId, outcome: 'cancelled', status: 'idle' })
  expect(await (await model.request(0)).ended).toBe('left')
  expect(endsOf(await session.log()).filter(end => end.turnId === turnId)).toHaveLength(1)
  expect(await session.said()).toEqual(['One two three'])

  await session.says('go on')
  const promptText = JSON.stringify((await model.request(1)).body.messages)
  expect(promptText).toContain('One two three')
  expect(promptText.match(/"role":"user"/g)?.length).toBeGreaterThan(1)
  await expectSoundSessions(sql)
})

test('a cancel in another process reaches the turn with its next heartbeat or append', async () => {
  const {
    sql,
    ctx,
    session: openSession,
    second,
    reopen
  } = await testWorld({
    script: [holds('One')],
    settings: { WAYSTATION_ROLE: 'worker' }
  })
  const web = await second({ WAYSTATION_ROLE: 'web' })
  const session = await openSession()
  await session.send('count')
  await session.reads('One')
  const reopened = await reopen(session.id, web.ctx)
  const ended = session.ends()
  await reopened.cancel()
  expect(await ended).toMatchObject({ outcome: 'cancelled' })
  expect(ctx).not.toBe(web.ctx)
  await expectSoundSessions(sql)
})

test('a cancel while a tool runs aborts the tool, and the model learns that its outcome is unknown', async () => {
  const externalServer = await startOtherSystem(() => undefined)
  const {
    sql,
    model,
    agent,
    session: openSession
  } = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } }), says('I see.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await openSession('test')
  await session.send('fetch it')
  await externalServer.request(0)
  const call = await session.waitsFor('web-fetch')
  await session.cancel()
  expect(await session.ends()).toMatchObject({ outcome: 'cancelled', status: 'idle' })
  const settledCall = await session.settles(call)
  expect(settledCall).toMatchObject({ state: 'failed', errorText: expect.any(String) })
  await session.says('and now?')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain(settledCall.errorText)
  expect(externalServer.requests).toHaveLength(1)
  await expectSoundSessions(sql)
})

test('a cancel while the turn waits for its retry ends the turn, and no retry follows', async () => {
  const {
    sql,
    model,
    session: openSession,
    pass
  } = await testWorld({ script: [fails(429, { headers: { 'retry-after': '600' } }), says('Hi.')] })
  const session = await openSession()
  await session.send('hello')
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  const { turnId } = await session.cancel()
  expect(await session.ends(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'idle' })
  await pass(700)
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where task_identifier = 'retry'`).length)
    .toBe(0)
  expect(model.requests).toHaveLength(1)
  expect(await session.says('again')).toMatchObject({ outcome: 'done' })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('hello')
  await expectSoundSessions(sql)
})

test('without a live owner the cancel itself writes the terminal event, and the message stays in the conversation', async () => {
  const { sql, databaseUrl, session: openSession } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const url = databaseUrl()
  const session = await openSession()
  await session.send('say one')
  const { turnId } = await session.cancel()
  expect(await session.ends(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'idle' })

  await testWorld({ database: url, settings: { WAYSTATION_ROLE: 'worker' } })
  expect(await session.says('say two')).toMatchObject({ outcome: 'done' })
  expect(endsOf(await session.log())).toHaveLength(2)
  await expectSoundSessions(sql)
})

test('a cancel fences a dead owner: if the owner returns, it can write nothing', async () => {
  const { sql, session: openSession } = await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const session = await openSession()
  await session.send('say one')
  await sql`insert into workers (id, host, heartbeat_at) values ('dead', 'there', clock_timestamp() - interval '1 minute')`
  await sql`update heads set owner = 'dead', epoch = 7 where session_key = ${session.key}`
  const { turnId } = await session.cancel()
  expect(await session.ends(turnId ?? '')).toMatchObject({ outcome: 'cancelled' })
  expect(await sql`select owner, epoch from heads where session_key = ${session.key}`).toEqual([
    { owner: null, epoch: 8 }
  ])
})

test('the partial text of a dead owner stays after a cancel, no longer streams, and the model knows of it', async () => {
  const world = await testWorld({
    script: [holds('One two three'), says('Going on.')],
    settings: { WAYSTATION_ROLE: 'web' }
  })
  const { world: worker } = await world.second({ WAYSTATION_ROLE: 'worker' })
  const session = await world.session()
  await session.send('count')
  await session.reads('three')
  // Simulates a killed worker: a dead worker owns the session, and this one can no longer write.
  await world.sql`insert into workers (id, host, heartbeat_at) values ('dead', 'there', clock_timestamp() - interval '1 hour')`
  await world.sql`update heads set owner = 'dead', epoch = epoch + 1 where session_key = ${session.key}`
  await session.cancel()
  const [message] = (await session.get()).messages.filter(({ role }) => role === 'assistant')
  expect(message?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'One two three', state: 'done' },
    { type: 'data-notice', data: { kind: 'stopped' } }
  ])
  await worker.stop()

  await world.second({ WAYSTATION_ROLE: 'worker' })
  await session.says('go on')
  expect(JSON.stringify((await world.model.request(1)).body.messages)).toContain('One two three')
  await expectSoundSessions(world.sql)
})

test('twenty cancels at once have one effect, and cancelling a finished turn does nothing', async () => {
  const { session: openSession } = await testWorld({ script: [holds('One')] })
  const session = await openSession()
  await session.send('count')
  await session.reads('One')
  const ended = session.ends()
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
    session: openSession
  } = await testWorld({ script: Array.from({ length: 12 }, (_, i) => says(`${i}`)) })
  const session = await openSession()
  for (let i = 0; i < 12; i++) {
    const ended = session.ends()
    await session.send(`message ${i}`)
    if (i % 3 === 0) await model.request(i)
    if (i % 3 === 1) await session.next(event => event.type === 'chunk' && event.chunk.type === 'text-delta')
    if (i % 3 === 2) await session.next(event => event.type === 'chunk' && event.chunk.type === 'finish-step')
    await session.cancel()
    expect(['done', 'cancelled']).toContain((await ended).outcome)
  }
  expect(endsOf(await session.log())).toHaveLength(12)
  await expectSoundSessions(sql)
})

test('open calls survive a cancel; with calls: true each is settled as cancelled, and the model is informed', async () => {
  const question = { name: 'ask-question', input: { question: 'Tea?' } }
  const script: Reply[] = [calls(question), holds('Well'), says('As you like.')]
  const { sql, model, session: openSession } = await testWorld({ script: script })
  const session = await openSession()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  const { turnId } = await session
    .send('hello')
    .then(() => session.reads('Well'))
    .then(() => session.cancel())
  expect(await session.ends(turnId ?? '')).toMatchObject({ outcome: 'cancelled', status: 'parked' })
  expect((await session.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, deadline: call.deadline, state: 'open' }
  ])

  const ended = session.ends()
  await session.cancel(true)
  expect(await session.settles(call)).toMatchObject({ state: 'cancelled', answeredBy: 'Ann', via: 'cancel' })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain((await session.settles(call)).errorText)
  await expect(session.answer(call, { output: { answer: 'yes' } })).rejects.toMatchObject({
    code: 'ALREADY_SETTLED'
  })
  await expectSoundSessions(sql)
})

test('a cancel that names a turn leaves other turns alone', async () => {
  const { session: openSession, ctx } = await testWorld({ script: [says('One'), holds('Two')] })
  const session = await openSession()
  const first = await session.says('one')
  await session.send('two')
  await session.reads('Two')
  expect(await cancelTurn(ctx, { sessionId: session.id, turnId: first.turnId, calls: false })).toEqual({
    turnId: null
  })
  expect((await session.get()).session.status).toBe('running')
})

test('a turn in the same process receives a cancel at once, not with its next heartbeat', async () => {
  const { session: openSession, sql } = await testWorld({ script: () => holds('One') })
  const session = await openSession()
  for (let i = 0; i < 8; i++) {
    await session.send('count')
    await session.next(event => event.type === 'chunk' && event.chunk.type === 'text-delta')
    // The lock stops heartbeats in the meantime.
    const heartbeatLock = await holdBeats(sql)
    await session.cancel()
    expect(await session.ends()).toMatchObject({ outcome: 'cancelled' })
    await heartbeatLock.release()
  }
})
