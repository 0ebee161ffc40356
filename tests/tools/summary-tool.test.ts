import { expect, test } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const last = { name: 'summary', input: { answer: 'It is 42.' } }

async function turnWithSummary(
  first: ReturnType<typeof replyCalls>,
  tools: { name: string; approval?: 'ask' }[] = []
) {
  const server = await startTestServer({
    script: (_, index) => (index === 0 ? first : replyText(`Answer ${index}.`))
  })
  await server.saveAgent({ chat: { tools: [{ name: 'summary' }, ...tools] } })
  return { ...server, session: await server.startSession('test') }
}

test('001-20: summary ends the turn with its text as the answer, without another model call', async () => {
  const { sql, model, session } = await turnWithSummary(replyCalls(last))
  expect(await session.runTurn('What is it?')).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests).toHaveLength(1)
  expect((await session.agentTexts()).at(-1)).toBe('It is 42.')
  // The next turn starts as usual, and the model knows its summary.
  expect(await session.runTurn('Thank you.')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('It is 42.')
  await expectValidSessions(sql)
})

test('001-20: other calls of its step settle first: a pending call keeps the turn parked, and its answer causes no model call', async () => {
  const { sql, model, session } = await turnWithSummary(
    replyCalls(last, { name: 'ask-question', input: { question: 'Tea?' } }),
    [{ name: 'ask-question' }]
  )
  await session.send('What is it?')
  const call = await session.waitForCall('ask-question')
  expect(
    await session.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
  ).toMatchObject({
    outcome: 'parked'
  })
  await session.answer(call, { output: { answer: 'yes' } })
  await session.waitForSettled(call)
  expect(await session.runTurn('And now?')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('yes')
  await expectValidSessions(sql)
})

test('001-20: a summary with invalid arguments does not end the turn: the model receives an error and continues', async () => {
  const { model, session } = await turnWithSummary(
    replyCalls({ name: 'summary', input: { text: 'It is 42.' } })
  )
  expect(await session.runTurn('What is it?')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect((await session.agentTexts()).at(-1)).toContain('Answer 1.')
})
