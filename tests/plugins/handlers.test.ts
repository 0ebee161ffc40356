import { expect, test } from 'vitest'
import { setOverlay } from '#lib/sessions/set-overlay.ts'
import { replyError, replyText, replyThenEnd } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const desk = `export default { name: 'desk', hooks: () => ({}), handlers: {
  async *hours() { yield 'We are open '; yield 'from 9 to 5.' },
  async *asks({ messages }) {
    if (messages.at(-1).role === 'tool') yield 'Noted.'
    else yield { toolName: 'ask-question', input: { question: 'Which day?' } }
  },
  async *twice({ instructions, model }) {
    yield* model({ instructions: instructions + ' First.' })
    yield* model({ instructions: instructions + ' Second.', tools: [] })
  },
  async *broken() { yield 'Half '; throw new Error('a secret of the handler') }
} }`

async function startWith(handler: string | undefined, script = [replyText('From the model.')]) {
  const server = await startTestServer({
    script,
    settings: { WAYSTATION_PLUGINS: await pluginFolder({ 'desk.mjs': desk }) }
  })
  await server.saveAgent({
    chat: { ...(handler === undefined ? {} : { handler }), tools: [{ name: 'ask-question' }] }
  })
  return { ...server, session: await server.startSession('test') }
}

test('001-2: a handler of a plugin answers the steps of an agent, without its model', async () => {
  const { session, model } = await startWith('desk/hours')
  expect(await session.runTurn('When?')).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['We are open from 9 to 5.'])
  expect(model.requests).toEqual([])
})

test('001-2: a call of a handler parks the session like a call of the model, and the handler continues with its answer', async () => {
  const { session } = await startWith('desk/asks')
  await session.runTurn('Book it.')
  const call = await session.waitForCall('ask-question')
  await session.answer(call, { output: { answer: 'Monday' } })
  await session.waitForEnd()
  expect((await session.agentTexts()).join(' ')).toContain('Noted.')
})

test('001-2: a handler calls the model with changed prompts, and the usage of all calls counts', async () => {
  const tokens = { input: 10, output: 3 }
  const script = ['One.', 'Two.'].map(text => replyText(text, { tokens }))
  const { session, model, sql } = await startWith('desk/twice', script)
  await session.runTurn('Go.')
  expect((await session.agentTexts()).join(' ')).toMatch(/One\..*Two\./s)
  const prompts = model.requests.map(({ body }) => JSON.stringify(body.messages[0]))
  expect(prompts[0]).toContain('First.')
  expect(prompts[1]).toContain('Second.')
  expect(model.requests.map(({ body }) => 'tools' in body)).toEqual([true, false])
  expect(await sql`select input_tokens, output_tokens from turns`).toMatchObject([
    { inputTokens: 20, outputTokens: 6 }
  ])
})

test('001-2: a session can name another handler than its agent, and can return to the model', async () => {
  const { session, ctx } = await startWith('desk/hours')
  const overlay = { tools: [], skills: [] }
  await setOverlay(ctx, { sessionId: session.id, overlay: { ...overlay, handler: 'chat' } })
  await session.runTurn('Who?')
  await expect(
    setOverlay(ctx, { sessionId: session.id, overlay: { ...overlay, handler: 'desk/minutes' } })
  ).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    extra: { fields: { 'overlay.handler': expect.any(String) } }
  })
  await setOverlay(ctx, { sessionId: session.id, overlay: null })
  await session.runTurn('When?')
  expect(await session.agentTexts()).toEqual(['From the model.', 'We are open from 9 to 5.'])
})

test('001-2: errors of the model in a handler, and answers that are cut off, are retried as usual', async () => {
  const { session, model, saveAgent } = await startWith('desk/twice', [
    replyError(500),
    replyText('One.'),
    replyThenEnd('Two, cut'),
    replyText('One again.'),
    replyText('Two.')
  ])
  const retry = { maxAttempts: 3, initialDelaySeconds: 0, maxDelaySeconds: 0 }
  await saveAgent({ chat: { handler: 'desk/twice', toolSettings: { retry } } })
  expect(await session.runTurn('Go.')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(5)
  expect((await session.agentTexts()).join(' ')).toMatch(/One again\..*Two\./s)
})

test.each([
  ['throws', 'desk/broken', 'UNKNOWN'],
  ['is not installed', 'desk/none', 'NOT_CONFIGURED'],
  ['belongs to a missing plugin', 'none/none', 'NOT_CONFIGURED']
])('001-2: if a handler %s, the turn fails with a clear error', async (_, handler, code) => {
  const { session } = await startWith(handler)
  expect(await session.runTurn('Go.')).toMatchObject({ outcome: 'failed', error: { code } })
  expect(JSON.stringify(await session.get())).not.toContain('a secret of the handler')
})
