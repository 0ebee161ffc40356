import { expect, test } from 'vitest'
import { demo } from '#tests/support/fakes/demo.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('001-20: a question parks the session, and its answer continues in the same message', async () => {
  const { startSession: openSession } = await startTestServer()
  const session = await openSession()
  const parked = await session.runTurn(demo.askToChoose('tea', 'coffee', 'water'))
  expect(parked).toMatchObject({ status: 'parked', outcome: 'parked' })
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  expect(await session.answer(call, { output: { answer: 'tea' } })).toEqual({
    toolCallId: call.toolCallId,
    state: 'answered'
  })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
  const { messages, session: view } = await session.get()
  expect(messages).toHaveLength(2)
  expect(view.waitingFor).toEqual([])
  expect(messages[1]?.parts.map(part => part.type)).toEqual([
    'step-start',
    'tool-ask-question',
    'step-start',
    'text'
  ])
  expect((await session.agentTexts()).at(-1)).toContain('tea')
})

test('"hello" is answered while a call is open, and the call stays open with its ID and deadline', async () => {
  const { startSession: openSession } = await startTestServer()
  const session = await openSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const before = await session.waitForCall('ask-question')
  expect(await session.runTurn('hello')).toMatchObject({ status: 'parked', outcome: 'done' })
  const { waitingFor } = (await session.get()).session
  expect(waitingFor).toMatchObject([
    { toolCallId: before.toolCallId, deadline: before.deadline, state: 'open' }
  ])
  const ended = session.waitForEnd()
  await session.answer(before, { output: { answer: 'coffee' } })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
  expect((await session.agentTexts()).at(-1)).toContain('coffee')
})
