import type { ClientTool } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const tool = (name: string, inputSchema: object = {}): ClientTool => ({
  name,
  description: 'Paints.',
  inputSchema: { type: 'object', ...inputSchema }
})

/** Returns a session in which Ann’s client declared `paint` and the model called it. */
async function sessionWithPaint(input: object = { colour: 'red' }) {
  const server = await startTestServer({
    script: [replyCalls({ name: 'paint', input }), replyText('Painted.'), replyText('Done.')]
  })
  const session = await server.startSession()
  await session.runTurn('paint it', { clientTools: [tool('paint')] })
  return { ...server, session, call: await session.waitForCall('paint') }
}

test('002-1: a tool that a client declares with its message parks the run until that client answers', async () => {
  const { session, call, model } = await sessionWithPaint()
  expect(call).toMatchObject({ kind: 'client', where: 'browser', state: 'open', input: { colour: 'red' } })
  const ended = session.waitForEnd()
  await session.answer(call, { output: { done: true } })
  await ended
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('{\\"done\\":true}')
})

test('another client’s browser cannot fail a declared tool: the call stays open for a client that declares it', async () => {
  const { actAs, session, call } = await sessionWithPaint()
  const error = { error: 'This app cannot paint.' }
  await expect(session.answer(call, error, actAs('Bob'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await session.get()).session.waitingFor).toEqual([call])
  expect(await session.answer(call, error)).toMatchObject({ state: 'failed' })
})

test('a client that declared the tool as well, before or with its answer, can fail it', async () => {
  const { actAs, session, call, reopenSession } = await sessionWithPaint()
  const reopened = await reopenSession(session.id, actAs('Bob'))
  await reopened.runTurn('I can paint as well.', { clientTools: [tool('paint')] })
  expect(await reopened.answer(call, { error: 'Out of red.' })).toMatchObject({ state: 'failed' })

  const other = await sessionWithPaint()
  const { id: sessionId } = other.session
  const { toolCallId } = other.call
  const failure = { sessionId, toolCallId, answer: { error: 'Out of red.' }, clientTools: ['paint'] }
  expect(await answerCall(other.actAs('Bob'), failure)).toMatchObject({ state: 'failed' })
})

test('002-5: a user can end a call that no connected client can handle: the model receives a definite failure', async () => {
  const { actAs, session, call, model } = await sessionWithPaint()
  const ended = session.waitForEnd()
  await session.answer(call, { declined: true, reason: 'No client could paint.' }, actAs('Bob'))
  await ended
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'declined', answeredBy: 'Bob' })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('No client could paint.')
})

test('the clients of a session declare at most 64 tools and 256 KiB together; one too many changes nothing', async () => {
  const { startSession: openSession, sql } = await startTestServer({ script: () => replyText('Fine.') })
  const session = await openSession()
  const toolsNamed = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => tool(`${prefix}${i}`))
  await session.runTurn('one', { clientTools: toolsNamed('a', 40) })
  await expect(session.send('two', { clientTools: toolsNamed('b', 40) })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  const largeTools = toolsNamed('c', 5).map(definition => ({
    ...definition,
    inputSchema: { type: 'object', description: 'x'.repeat(60_000) }
  }))
  await expect(session.send('three', { clientTools: largeTools })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect((await session.get()).messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  await session.runTurn('four', { clientTools: toolsNamed('a', 40) })
  const [row] =
    await sql`select jsonb_array_length(client_tools) as n from sessions where key = ${session.key}`
  expect(row?.n).toBe(40)
})

const deepDefs: Record<string, object> = { a26: { type: 'string' } }
for (let n = 25; n >= 0; n--)
  deepDefs[`a${n}`] = { anyOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] }

test.each([
  ['a backtracking pattern', { type: 'string', pattern: '^(a+)+$' }, {}, `${'a'.repeat(60)}b`],
  ['a schema of nested choices', { $ref: '#/$defs/a0' }, deepDefs, 1],
  [
    'a schema that refers to itself',
    { $ref: '#/$defs/a' },
    { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] } },
    1
  ]
])('an endless check of %s blocks only its own call', async (_, colour, $defs, value) => {
  const server = await startTestServer({
    script: [replyCalls({ name: 'paint', input: { colour: value } }), replyText('Never mind.')]
  })
  const session = await server.startSession()
  await session.runTurn('paint it', { clientTools: [tool('paint', { properties: { colour }, $defs })] })
  expect(await session.agentTexts()).toEqual(['Never mind.'])
  const [failedCall] = (await session.get()).calls
  expect(failedCall).toMatchObject({ state: 'failed', errorText: expect.any(String) })

  const painted = await sessionWithPaint()
  const outputSchema = { type: 'object', properties: { colour }, $defs, required: ['colour'] }
  await painted.sql`update calls set output_schema = ${outputSchema}::jsonb where tool_call_id = ${painted.call.toolCallId}`
  // The schema decides whether the answer is invalid or the check timed out.
  await expect(painted.session.answer(painted.call, { output: { colour: value } })).rejects.toMatchObject({
    code: expect.stringMatching(/^(INVALID_INPUT|UNAVAILABLE)$/)
  })
  expect((await painted.session.get()).session.waitingFor).toHaveLength(1)
})

test('any client can fail a server tool that a client declares too', async () => {
  const server = await startTestServer({
    script: [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')]
  })
  const session = await server.startSession()
  await session.runTurn('where am I?', { clientTools: [tool('client-info')] })
  const call = await session.waitForCall('client-info')
  expect(await session.answer(call, { error: 'No.' }, server.actAs('Bob'))).toMatchObject({ state: 'failed' })
})
