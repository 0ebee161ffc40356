import { expect, test } from 'vitest'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { calls, fails, says } from '#tests/support/fakes/openai-replies.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const question = { name: 'ask-question', input: { question: 'Which?', inputType: 'text' } }

test('a stop before the first step of a resumed turn is a stop; the next message has the answer in its prompt', async () => {
  const world = await testWorld({ script: [calls(question), says('Going on.')] })
  const session = await world.session()
  await session.says('ask')
  const call = await session.waitsFor('ask-question')
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  const there = await world.reopen(session.id, web.ctx)
  await world.leave()
  await there.answer(call, { output: { answer: 'blue' } })
  expect((await there.get()).session.status).toBe('running')
  await there.cancel()
  expect((await there.get()).session.status).toBe('idle')

  await world.second()
  expect(await there.says('and now?')).toMatchObject({ outcome: 'done' })
  expect(world.model.requests).toHaveLength(2)
  expect(JSON.stringify(world.model.requests[1]?.body.messages)).toMatch(/blue.*and now/)
})

test('an answer given after a stop among running tools still reaches the model', async () => {
  const outside = await startOtherSystem(() => undefined)
  const world = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: `${outside.url}/slow` } }, question), says('I see.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] } })
  const session = await world.session('test')
  await session.send('go')
  await outside.request(0)
  const call = await session.waitsFor('ask-question')
  await session.cancel()
  expect(await session.ends()).toMatchObject({ outcome: 'cancelled', status: 'parked' })
  await session.answer(call, { output: { answer: 'blue' } })
  expect(await session.ends()).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(world.model.requests[1]?.body.messages)).toContain('blue')
  await expectSoundSessions(world.sql)
})

test('"retry now" and then a stop, before anybody ran: it is stopped, and only the next message asks the model', async () => {
  const world = await testWorld({
    script: [fails(429, { headers: { 'retry-after': '600' } }), says('Hi.')]
  })
  const session = await world.session()
  await session.send('hello')
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  const web = await world.second({ WAYSTATION_ROLE: 'web' })
  const there = await world.reopen(session.id, web.ctx)
  await world.leave()
  await retryTurn(web.ctx, { sessionId: session.id })
  await there.cancel()
  expect((await there.get()).session.status).toBe('idle')

  await world.second()
  expect(await there.says('and now?')).toMatchObject({ outcome: 'done' })
  expect(world.model.requests).toHaveLength(2)
})

test('a process that stops goes on beating while its tool finishes, so that nobody takes the call for lost', async () => {
  const held = Promise.withResolvers<() => void>()
  const outside = await startOtherSystem(response => held.resolve(() => response.end('fetched')))
  const world = await testWorld({
    script: [calls({ name: 'web-fetch', input: { url: outside.url } }), says('Fine.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host },
    pace: { heartbeatMs: 50, stopGraceMs: 60_000 }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await world.session('test')
  const { world: bystander, ctx } = await world.second({ WAYSTATION_ROLE: 'web' })
  await session.send('fetch')
  await outside.request(0)
  const beat = async () =>
    (await ctx.sql<{ at: string }[]>`select heartbeat_at::text as at from workers`)[0]?.at
  const stopping = world.leave()
  for (let beats = 0; beats < 2; beats++) {
    const last = await beat()
    await expect.poll(beat).not.toBe(last)
  }
  const release = await held.promise
  release()
  await stopping
  await bystander.stop()
})
