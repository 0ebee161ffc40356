import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const question = (text: string) => ({ name: 'ask-question', input: { question: text } })

/** Calls the cancel endpoint with a key of this role, and returns status and body. */
async function cancel(
  { ctx }: TestServer,
  sessionId: string,
  toolCallId: string,
  role = 'operator' as const
) {
  const { secret } = await createKey(ctx, { name: 'Cleo', role })
  const response = await requestEndpoint(callOperations.cancel, {
    params: { sessionId, toolCallId },
    headers: { authorization: `Bearer ${secret}` }
  })
  return { status: response.status, body: await response.json() }
}

test('cancelling one pending call leaves the other open; the agent continues when both are settled', async () => {
  const server = await startTestServer({
    script: [replyCalls(question('One?'), question('Two?')), replyText('Fine.')]
  })
  const session = await server.startSession()
  await session.runTurn('ask twice')
  const [first, second] = (await session.get()).session.waitingFor
  if (first === undefined || second === undefined) throw new Error('Two calls should be open.')
  const receipt = { status: 200, body: { toolCallId: first.toolCallId, state: 'cancelled' } }
  expect(await cancel(server, session.id, first.toolCallId)).toEqual(receipt)
  expect(await cancel(server, session.id, first.toolCallId)).toEqual(receipt)
  expect((await session.get()).session).toMatchObject({
    status: 'parked',
    waitingFor: [{ toolCallId: second.toolCallId }]
  })
  const ended = session.waitForEnd()
  await session.answer(second, { output: { answer: 'yes' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(await session.waitForSettled(first)).toMatchObject({
    state: 'cancelled',
    answeredBy: 'Cleo',
    via: 'cancel',
    errorText: expect.stringContaining('Cleo')
  })
  const results = server.model.requests[1]?.body.messages.filter(message => message.role === 'tool')
  expect(results?.map(({ content }) => content)).toEqual([
    expect.stringContaining('Cleo'),
    '{"answer":"yes"}'
  ])
  await expectValidSessions(server.sql)
})

test('a call that was answered first cannot be cancelled: 409 names who answered it', async () => {
  const server = await startTestServer({ script: [replyCalls(question('Tea?')), replyText('Fine.')] })
  const session = await server.startSession()
  await session.runTurn('ask')
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  await session.answer(call, { output: { answer: 'tea' } })
  expect(await cancel(server, session.id, call.toolCallId)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_SETTLED', winner: { state: 'answered', answeredBy: 'Ann' } }
  })
  await ended
  expect(server.model.requests).toHaveLength(2)
  await expectValidSessions(server.sql)
})

test('a call that reaches its deadline settles with its declared outcome, not as cancelled', async () => {
  const server = await startTestServer({ script: [replyCalls(question('Tea?')), replyText('Fine.')] })
  const session = await server.startSession()
  await session.runTurn('ask')
  const call = await session.waitForCall('ask-question')
  await server.sql`update calls set deadline = clock_timestamp()`
  expect(await cancel(server, session.id, call.toolCallId)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_SETTLED', winner: { state: 'expired' } }
  })
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'expired', via: 'deadline' })
})

test('a call that the server runs cannot be answered, and an unknown call is not found', async () => {
  let markArrived = () => {}
  const arrived = new Promise<void>(resolve => {
    markArrived = resolve
  })
  const externalServer = await startExternalSystem(() => markArrived())
  const server = await startTestServer({
    script: [replyCalls({ name: 'web-fetch', input: { url: externalServer.url } }), replyText('Stopped.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } })
  const session = await server.startSession('test')
  await session.send('fetch it')
  await arrived
  const running = Object.values((await session.get()).calls)[0]
  if (running === undefined) throw new Error('A call should run.')
  expect(await cancel(server, session.id, running.toolCallId)).toMatchObject({
    status: 409,
    body: { code: 'NOT_ANSWERABLE' }
  })
  expect(await cancel(server, session.id, 'never-was')).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
  const ended = session.waitForEnd()
  await session.cancel()
  await ended
})
