import { expect, test } from 'vitest'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { startOtherSystem } from '#tests/support/fakes/external-system.ts'
import { calls, fails, says } from '#tests/support/fakes/openai-replies.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Which?', inputType: 'text' } }

test('a stop before the first step of a resumed turn takes effect, and the next message has the answer in its prompt', async () => {
  const world = await testWorld({ script: [calls(question), says('Going on.')] })
  const session = await world.session()
  await session.says('ask')
  const call = await session.waitsFor('ask-question')
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  const reopened = await world.reopen(session.id, web.ctx)
  await world.leave()
  await reopened.answer(call, { output: { answer: 'blue' } })
  expect((await reopened.get()).session.status).toBe('running')
  await reopened.cancel()
  expect((await reopened.get()).session.status).toBe('idle')

  await world.second()
  expect(await reopened.says('and now?')).toMatchObject({ outcome: 'done' })
  expect(world.model.requests).toHaveLength(2)
  expect(JSON.stringify(world.model.requests[1]?.body.messages)).toMatch(/blue.*and now/)
})

test('an answer after a stop during running tools still reaches the model', async () => {
  const externalServer = await startOtherSystem(() => undefined)
  const world = await testWorld({
    script: [
      calls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } }, question),
      says('I see.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] } })
  const session = await world.session('test')
  await session.send('go')
  await externalServer.request(0)
  const call = await session.waitsFor('ask-question')
  await session.cancel()
  expect(await session.ends()).toMatchObject({ outcome: 'cancelled', status: 'parked' })
  await session.answer(call, { output: { answer: 'blue' } })
  expect(await session.ends()).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(world.model.requests[1]?.body.messages)).toContain('blue')
  await expectSoundSessions(world.sql)
})

test('"retry now" followed by a stop, before a worker runs it, stops the turn; only the next message calls the model', async () => {
  const world = await testWorld({
    script: [fails(429, { headers: { 'retry-after': '600' } }), says('Hi.')]
  })
  const session = await world.session()
  await session.send('hello')
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  const reopened = await world.reopen(session.id, web.ctx)
  await world.leave()
  await retryTurn(web.ctx, { sessionId: session.id })
  await reopened.cancel()
  expect((await reopened.get()).session.status).toBe('idle')

  await world.second()
  expect(await reopened.says('and now?')).toMatchObject({ outcome: 'done' })
  expect(world.model.requests).toHaveLength(2)
})

test('a stopping process sends heartbeats while its tool finishes, so that no worker declares the call lost', async () => {
  const deferred = Promise.withResolvers<() => void>()
  const externalServer = await startOtherSystem(response => deferred.resolve(() => response.end('fetched')))
  const world = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: externalServer.url } }), says('Fine.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host },
    pace: { heartbeatMs: 50, stopGraceMs: 60_000 }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await world.session('test')
  const { world: bystander, ctx } = await world.second({ WAYSTATION_ROLE: 'web' })
  await session.send('fetch')
  await externalServer.request(0)
  const heartbeatAt = async () =>
    (await ctx.sql<{ at: string }[]>`select heartbeat_at::text as at from workers`)[0]?.at
  const leaving = world.leave()
  for (let changes = 0; changes < 2; changes++) {
    const last = await heartbeatAt()
    await expect.poll(heartbeatAt).not.toBe(last)
  }
  const release = await deferred.promise
  release()
  await leaving
  await bystander.stop()
})
