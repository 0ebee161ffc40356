import { expect, test } from 'vitest'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const options = [{ label: 'tea', description: 'black' }, { label: 'coffee' }]
const long = 'x'.repeat(20_001)

/** What is asked, what is no answer to it, and what is. */
const questions: [string, object, unknown[], unknown][] = [
  ['one of the options', { options, allowFreeform: false }, ['water', ['tea'], '', null], 'coffee'],
  ['one of the options or words of one’s own (the default)', { options }, [['tea'], '', '  ', long], 'water'],
  [
    'several of the options',
    { options, inputType: 'multi-select', allowFreeform: false },
    ['tea', [], ['tea', 'water']],
    ['tea', 'coffee']
  ],
  [
    'several, or words of one’s own',
    { options, inputType: 'multi-select' },
    ['tea', [], ['']],
    ['tea', 'water']
  ],
  ['a text', { inputType: 'text', allowFreeform: false }, [['x'], '', 7, long], 'in my own words'],
  ['an open question without options', { allowFreeform: false }, ['', ['x']], 'why not']
]

test.each(questions)(
  '001-20: ask-question asks for %s, takes what fits and refuses the rest',
  async (_what, input, misfits, fits) => {
    const { model, session: open } = await testWorld({
      script: [
        calls({ name: 'ask-question', input: { question: 'What will it be?', ...input } }),
        says('Fine.')
      ]
    })
    const session = await open()
    await session.says('ask me')
    const call = await session.waitsFor('ask-question')
    expect(call).toMatchObject({
      kind: 'question',
      where: 'approver',
      title: 'What will it be?',
      render: { kind: 'question' },
      input: { question: 'What will it be?', ...input }
    })
    for (const answer of misfits)
      await expect(
        session.answer(call, { output: { answer } }),
        JSON.stringify(answer)
      ).rejects.toMatchObject({
        code: 'INVALID_INPUT'
      })
    expect((await session.get()).session.waitingFor).toEqual([call])
    const ended = session.ends()
    await session.answer(call, { output: { answer: fits } })
    expect(await ended).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(model.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: JSON.stringify({ answer: fits })
    })
  }
)

test('001-20: a question waits for days, and longer than the process that asked it', async () => {
  const world = await testWorld({
    script: [calls({ name: 'ask-question', input: { question: 'Tea?' } }), says('Tea it is.')]
  })
  const session = await world.session()
  await session.says('offer')
  const call = await session.waitsFor('ask-question')
  await world.pass(3 * 86_400)
  await world.leave()
  const there = await world.reopen(session.id, (await world.second()).ctx)
  expect((await there.get()).session.waitingFor).toMatchObject([
    { toolCallId: call.toolCallId, state: 'open' }
  ])
  const ended = there.ends()
  await there.answer(call, { output: { answer: 'yes' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await there.said()).toEqual(['Tea it is.'])
})
