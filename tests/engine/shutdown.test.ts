import { expect, test } from 'vitest'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyError, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Which?', inputType: 'text' } }

test('a stop before the first step of a resumed turn takes effect, and the next message has the answer in its prompt', async () => {
  const server = await startTestServer({ script: [replyCalls(question), replyText('Going on.')] })
  const session = await server.startSession()
  await session.runTurn('ask')
  const call = await session.waitForCall('ask-question')
  const web = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  const reopened = await server.reopenSession(session.id, web.ctx)
  await server.stopServer()
  await reopened.answer(call, { output: { answer: 'blue' } })
  expect((await reopened.get()).session.status).toBe('running')
  await reopened.cancel()
  expect((await reopened.get()).session.status).toBe('idle')

  await server.startSecondServer()
  expect(await reopened.runTurn('and now?')).toMatchObject({ outcome: 'done' })
  expect(server.model.requests).toHaveLength(2)
  expect(JSON.stringify(server.model.requests[1]?.body.messages)).toMatch(/blue.*and now/)
})

test('an answer after a stop during running tools still reaches the model', async () => {
  const externalServer = await startExternalSystem(() => undefined)
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/slow` } }, question),
      replyText('I see.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] } })
  const session = await server.startSession('test')
  await session.send('go')
  await externalServer.request(0)
  const call = await session.waitForCall('ask-question')
  await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled', status: 'parked' })
  await session.answer(call, { output: { answer: 'blue' } })
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(JSON.stringify(server.model.requests[1]?.body.messages)).toContain('blue')
  await expectValidSessions(server.sql)
})

test('"retry now" followed by a stop, before a worker runs it, stops the turn; only the next message calls the model', async () => {
  const server = await startTestServer({
    script: [replyError(429, { headers: { 'retry-after': '600' } }), replyText('Hi.')]
  })
  const session = await server.startSession()
  await session.send('hello')
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  const web = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  const reopened = await server.reopenSession(session.id, web.ctx)
  await server.stopServer()
  await retryTurn(web.ctx, { sessionId: session.id })
  await reopened.cancel()
  expect((await reopened.get()).session.status).toBe('idle')

  await server.startSecondServer()
  expect(await reopened.runTurn('and now?')).toMatchObject({ outcome: 'done' })
  expect(server.model.requests).toHaveLength(2)
})

test('a stopping process sends heartbeats while its tool finishes, so that no worker declares the call lost', async () => {
  const deferred = Promise.withResolvers<() => void>()
  const externalServer = await startExternalSystem(response =>
    deferred.resolve(() => response.end('fetched'))
  )
  const server = await startTestServer({
    script: [replyCalls({ name: 'web-fetch', input: { url: externalServer.url } }), replyText('Fine.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host },
    timing: { heartbeatMs: 50, stopGraceMs: 60_000 }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }] } })
  const session = await server.startSession('test')
  const { server: bystander, ctx } = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  await session.send('fetch')
  await externalServer.request(0)
  const heartbeatAt = async () =>
    (await ctx.sql<{ at: string }[]>`select heartbeat_at::text as at from workers`)[0]?.at
  const leaving = server.stopServer()
  for (let changes = 0; changes < 2; changes++) {
    const last = await heartbeatAt()
    await expect.poll(heartbeatAt).not.toBe(last)
  }
  const release = await deferred.promise
  release()
  await leaving
  await bystander.stop()
})
