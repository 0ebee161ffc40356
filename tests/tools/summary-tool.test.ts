import { expect, test } from 'vitest'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

const last = { name: 'summary', input: { answer: 'It is 42.' } }

async function turnWithSummary(
  first: ReturnType<typeof calls>,
  tools: { name: string; approval?: 'ask' }[] = []
) {
  const world = await testWorld({ script: (_, index) => (index === 0 ? first : says(`Answer ${index}.`)) })
  await world.agent({ chat: { tools: [{ name: 'summary' }, ...tools] } })
  return { ...world, session: await world.session('test') }
}

test('001-20: summary ends the turn with its text as the answer, without another model call', async () => {
  const { sql, model, session } = await turnWithSummary(calls(last))
  expect(await session.says('What is it?')).toMatchObject({ outcome: 'done', status: 'idle' })
  expect(model.requests).toHaveLength(1)
  expect((await session.said()).at(-1)).toBe('It is 42.')
  // The next turn starts as usual, and the model knows its summary.
  expect(await session.says('Thank you.')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('It is 42.')
  await expectSoundSessions(sql)
})

test('001-20: other calls of its step settle first: a pending call keeps the turn parked, and its answer causes no model call', async () => {
  const { sql, model, session } = await turnWithSummary(
    calls(last, { name: 'ask-question', input: { question: 'Tea?' } }),
    [{ name: 'ask-question' }]
  )
  await session.send('What is it?')
  const call = await session.waitsFor('ask-question')
  expect(await session.sees(event => event.type === 'status' && event.outcome !== undefined)).toMatchObject({
    outcome: 'parked'
  })
  await session.answer(call, { output: { answer: 'yes' } })
  await session.settles(call)
  expect(await session.says('And now?')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('yes')
  await expectSoundSessions(sql)
})

test('001-20: a summary with invalid arguments does not end the turn: the model receives an error and continues', async () => {
  const { model, session } = await turnWithSummary(calls({ name: 'summary', input: { text: 'It is 42.' } }))
  expect(await session.says('What is it?')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(2)
  expect((await session.said()).at(-1)).toContain('Answer 1.')
})
