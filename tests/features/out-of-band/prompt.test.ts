import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { takesUserAfterTools } from '#lib/models/user-after-tools.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const workingStep = {
  ...replyCalls({ name: 'nothing', input: {} }),
  text: 'Working.',
  after: 'hold'
} as Reply

/** Returns the roles of a prompt and its last message, after input arrived while the model worked. */
async function promptAfterInput(chat: object, channel: 'out of band' | 'steered') {
  const server = await startTestServer({ script: [workingStep, replyText('Seen.')] })
  await server.saveAgent({ chat })
  const session = await server.startSession('test')
  await session.send('go')
  await session.waitForText('Working.')
  const { id: sessionId } = session
  if (channel === 'steered') await session.send('And hurry.', { whenBusy: 'steer' })
  else
    await sendOutOfBand(
      server.ctx,
      SendOob.parse({ sessionId, content: 'The build is red.', sourceId: 'ci' })
    )
  server.model.release()
  await session.waitForText('Seen.')
  const messages = server.model.requests[1]?.body.messages ?? []
  return { roles: messages.map(({ role }) => role), last: JSON.stringify(messages.at(-1)) }
}

test('004-9 C: a model that accepts user messages anywhere gets its own user message after the results', async () => {
  const { roles, last } = await promptAfterInput({}, 'out of band')
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user'])
  expect(last).toContain('The build is red.')
})

test('004-9 B: a model that rejects a user message after tool results gets the text at the end of the last result', async () => {
  const { roles, last } = await promptAfterInput({ userAfterTools: false }, 'out of band')
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool'])
  expect(last).toMatch(/unavailable tool.*<out_of_band .*The build is red/)
})

test('004-9 B: a steering message reaches such a model the same way', async () => {
  const { roles, last } = await promptAfterInput({ userAfterTools: false }, 'steered')
  expect(roles.at(-1)).toBe('tool')
  expect(last).toContain('<user_message>\\nAnd hurry.\\n</user_message>')
})

test('004-9: the placement follows from the model’s name, unless the agent sets it', () => {
  for (const model of [
    'mistral-large-2512',
    'mistralai/Devstral-Small',
    'open-mixtral-8x7b',
    'magistral-medium'
  ])
    expect(takesUserAfterTools(model), model).toBe(false)
  for (const model of ['gpt-5', 'claude-sonnet-5', 'qwen3', 'llama-4'])
    expect(takesUserAfterTools(model)).toBe(true)
})

test('004-14: of many out-of-band messages the newest stay complete, older ones become one line each, and the rows keep their text', async () => {
  const rounds = 5
  const server = await startTestServer({
    script: [...Array(rounds)].map((_, n) => replyText(`Answer ${n}.`)),
    settings: { WAYSTATION_LIMIT_OUT_OF_BAND: '100' }
  })
  await server.saveAgent({})
  const session = await server.startSession('test')
  const { id: sessionId } = session
  const newsText = (n: number) => `News ${n}. ${'More of it. '.repeat(20)}The end of news ${n}.`
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < 10; n++)
      await sendOutOfBand(
        server.ctx,
        SendOob.parse({ sessionId, content: newsText(10 * round + n), sourceId: 'ci' })
      )
    await session.runTurn(`Message ${round}`)
  }
  const prompts = server.model.requests.map(({ body }) =>
    body.messages.map(message => JSON.stringify(message))
  )
  for (const k of [1, 2, 3]) expect(prompts[k]?.slice(0, prompts[k - 1]?.length)).toEqual(prompts[k - 1])
  const last = prompts.at(-1)?.join('\n') ?? ''
  const completeNumbers = [...Array(50).keys()].filter(n => last.includes(`The end of news ${n}.`))
  expect(completeNumbers).toEqual([...Array(20).keys()].map(n => 30 + n))
  for (let n = 0; n < 30; n++)
    expect(last).toMatch(new RegExp(`shown=\\\\"beginning\\\\">\\\\nNews ${n}\\. More`))
  const { messages } = await listOutOfBand(server.ctx, { sessionId })
  expect(messages.find(({ content }) => content.startsWith('News 3.'))?.content).toBe(newsText(3))
  expect(JSON.stringify((await getContext(server.ctx, { sessionId })).shown[0])).not.toContain(
    'The end of news'
  )
  await expectValidSessions(server.sql)
})
