import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }
const answerCall = (
  sessionId: string,
  { toolCallId }: Pick<Call, 'toolCallId'>,
  body: object,
  key?: string
) => callEndpoint(callOperations.answer, { params: { sessionId, toolCallId }, body }, key)

test('if eight tabs answer at once over HTTP, one gets 200, and the others and a late answer get 409 with the winner', async () => {
  const server = await startTestServer({ script: [replyCalls(question), replyText('Fine.')] })
  const keys = await Promise.all(
    Array.from({ length: 9 }, (_, i) => createKey(server.ctx, { name: `Tab ${i}`, role: 'operator' }))
  )
  const session = await server.startSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  const replies = await Promise.all(
    keys
      .slice(0, 8)
      .map(({ secret }, i) => answerCall(session.id, call, { output: { answer: `${i}` } }, secret))
  )
  await ended
  const lateReply = await answerCall(session.id, call, { output: { answer: 'late' } }, keys[8]?.secret)

  const [winner, ...others] = replies.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  expect(winner?.body).toEqual({ toolCallId: call.toolCallId, state: 'answered' })
  const winnerIndex = replies.findIndex(({ status }) => status === 200)
  const losers = [...replies.filter(({ status }) => status !== 200), lateReply]
  expect(losers).toHaveLength(8)
  for (const { status, body } of losers) {
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'ALREADY_SETTLED' })
    expect(body.winner).toEqual({
      state: 'answered',
      answeredBy: `Tab ${winnerIndex}`,
      at: expect.any(String)
    })
    expect(body.error).toContain(`Tab ${winnerIndex} `)
  }
  const { body } = await callEndpoint(sessionOperations.get, { params: { sessionId: session.id } })
  expect(body.calls).toMatchObject([
    { output: { answer: `${winnerIndex}` }, answeredBy: `Tab ${winnerIndex}`, via: 'api' }
  ])
  expect(JSON.stringify(server.model.requests[1]?.body.messages)).toContain(
    `{\\"answer\\":\\"${winnerIndex}\\"}`
  )
  await expectValidSessions(server.sql)
})

test('a message during an open call is answered, the call stays open, and its late answer continues the session', async () => {
  const server = await startTestServer({
    script: [replyCalls(question), replyText('Hello.'), replyText('So tea.')]
  })
  const session = await server.startSession()
  const send = (text: string) =>
    callEndpoint(sessionOperations.send, { params: { sessionId: session.id }, body: { text } })
  const getView = async () =>
    (await callEndpoint(sessionOperations.get, { params: { sessionId: session.id } })).body.session as {
      status: string
      waitingFor: Call[]
    }
  const parked = session.waitForEnd()
  await send('offer')
  await parked
  const before = await getView()
  expect(before).toMatchObject({ status: 'parked', waitingFor: [{ toolName: 'ask-question' }] })
  const greeted = session.waitForEnd()
  expect(await send('hello')).toMatchObject({ status: 202, body: { status: 'started' } })
  expect(await greeted).toMatchObject({ outcome: 'done', status: 'parked' })
  expect(await session.agentTexts()).toEqual(['', 'Hello.'])
  expect(await getView()).toEqual({ ...before, title: 'offer' })
  const ended = session.waitForEnd()
  await answerCall(session.id, before.waitingFor[0] as Call, { output: { answer: 'yes' } })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
})

test('two calls can be answered in reverse order, and the agent continues with both answers', async () => {
  const secondQuestion = { name: 'ask-question', input: { question: 'Sugar?' } }
  const server = await startTestServer({ script: [replyCalls(question, secondQuestion), replyText('Both.')] })
  const session = await server.startSession()
  await session.runTurn('offer')
  const [first, second] = (await session.get()).session.waitingFor as [Call, Call]
  expect(await answerCall(session.id, second, { output: { answer: 'no' } })).toMatchObject({ status: 200 })
  expect((await session.get()).session).toMatchObject({ status: 'parked', waitingFor: [first] })
  const ended = session.waitForEnd()
  expect(await answerCall(session.id, first, { output: { answer: 'yes' } })).toMatchObject({ status: 200 })
  expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(
    server.model.requests[1]?.body.messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content)
  ).toEqual(['{"answer":"yes"}', '{"answer":"no"}'])
})
