import { expect, test } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const options = [{ label: 'tea', description: 'black' }, { label: 'coffee' }]
const longText = 'x'.repeat(20_001)

/** Each row has the input, invalid answers and a valid answer. */
const questions: [string, object, unknown[], unknown][] = [
  ['one of the options', { options, allowFreeform: false }, ['water', ['tea'], '', null], 'coffee'],
  ['one of the options or free text (the default)', { options }, [['tea'], '', '  ', longText], 'water'],
  [
    'several of the options',
    { options, inputType: 'multi-select', allowFreeform: false },
    ['tea', [], ['tea', 'water']],
    ['tea', 'coffee']
  ],
  [
    'several of the options or free text',
    { options, inputType: 'multi-select' },
    ['tea', [], ['']],
    ['tea', 'water']
  ],
  ['a text', { inputType: 'text', allowFreeform: false }, [['x'], '', 7, longText], 'in my own words'],
  ['an open question without options', { allowFreeform: false }, ['', ['x']], 'why not']
]

test.each(questions)(
  '001-20: ask-question asks for %s, accepts a valid answer and refuses others',
  async (_label, input, invalidAnswers, validAnswer) => {
    const { model, startSession: openSession } = await startTestServer({
      script: [
        replyCalls({ name: 'ask-question', input: { question: 'What will it be?', ...input } }),
        replyText('Fine.')
      ]
    })
    const session = await openSession()
    await session.runTurn('ask me')
    const call = await session.waitForCall('ask-question')
    expect(call).toMatchObject({
      kind: 'question',
      where: 'approver',
      title: 'What will it be?',
      render: { kind: 'question' },
      input: { question: 'What will it be?', ...input }
    })
    for (const answer of invalidAnswers)
      await expect(
        session.answer(call, { output: { answer } }),
        JSON.stringify(answer)
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT'
      })
    expect((await session.get()).session.waitingFor).toEqual([call])
    const ended = session.waitForEnd()
    await session.answer(call, { output: { answer: validAnswer } })
    expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: JSON.stringify({ answer: validAnswer })
    })
  }
)

test('001-20: a question waits for days, and outlives the process that asked it', async () => {
  const server = await startTestServer({
    script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }), replyText('Tea it is.')]
  })
  const session = await server.startSession()
  await session.runTurn('offer')
  const call = await session.waitForCall('ask-question')
  await server.advanceTime(3 * 86_400)
  await server.stopServer()
  const reopened = await server.reopenSession(session.id, (await server.startSecondServer()).ctx)
  expect((await reopened.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, state: 'open' }
  ])
  const ended = reopened.waitForEnd()
  await reopened.answer(call, { output: { answer: 'yes' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await reopened.agentTexts()).toEqual(['Tea it is.'])
})
