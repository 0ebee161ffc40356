import { expect, test } from 'vitest'
import { answerCall } from '#lib/calls/answer.ts'
import type { ClientTool } from '#lib/protocol/session.ts'
import { calls, says } from '#tests/support/openai-replies.ts'
import { testWorld } from '#tests/support/world.ts'

const tool = (name: string, inputSchema: object = {}): ClientTool => ({
  name,
  description: 'Paints.',
  inputSchema: { type: 'object', ...inputSchema }
})

/** A session in which Ann's client declared `paint`, and the model called it. */
async function painting(input: object = { colour: 'red' }) {
  const world = await testWorld({
    script: [calls({ name: 'paint', input }), says('Painted.'), says('Done.')]
  })
  const session = await world.session()
  await session.says('paint it', { clientTools: [tool('paint')] })
  return { ...world, session, call: await session.waitsFor('paint') }
}

test('002-1: a tool that a client declared with its message parks the run until that client answers', async () => {
  const { session, call, model } = await painting()
  expect(call).toMatchObject({ kind: 'client', where: 'browser', state: 'open', input: { colour: 'red' } })
  const ended = session.ends()
  await session.answer(call, { output: { done: true } })
  await ended
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('{\\"done\\":true}')
})

test("nobody else's browser may fail a declared tool: the call stays open for a client that declares it", async () => {
  const { as, session, call } = await painting()
  const error = { error: 'This app cannot paint.' }
  await expect(session.answer(call, error, as('Bob'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await session.get()).session.waitingFor).toEqual([call])
  expect(await session.answer(call, error)).toMatchObject({ state: 'failed' })
})

test('whoever declared it too, before or with the answer, may fail it', async () => {
  const { as, session, call, reopen } = await painting()
  const there = await reopen(session.id, as('Bob'))
  await there.says('I can paint as well.', { clientTools: [tool('paint')] })
  expect(await there.answer(call, { error: 'Out of red.' })).toMatchObject({ state: 'failed' })

  const another = await painting()
  const { id: sessionId } = another.session
  const { toolCallId } = another.call
  const failing = { sessionId, toolCallId, answer: { error: 'Out of red.' }, clientTools: ['paint'] }
  expect(await answerCall(another.as('Bob'), failing)).toMatchObject({ state: 'failed' })
})

test('002-5: a person may end a call that no client here can do: a definite failure for the model', async () => {
  const { as, session, call, model } = await painting()
  const ended = session.ends()
  await session.answer(call, { declined: true, reason: 'No client could paint.' }, as('Bob'))
  await ended
  expect(await session.settles(call)).toMatchObject({ state: 'declined', answeredBy: 'Bob' })
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('No client could paint.')
})

test('the clients of a session declare 64 tools and 256 KiB together at most; one too many changes nothing', async () => {
  const { session: open, sql } = await testWorld({ script: () => says('Fine.') })
  const session = await open()
  const many = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => tool(`${prefix}${i}`))
  await session.says('one', { clientTools: many('a', 40) })
  await expect(session.send('two', { clientTools: many('b', 40) })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  const heavy = { ...tool('heavy'), inputSchema: { type: 'object', description: 'x'.repeat(300_000) } }
  await expect(session.send('three', { clientTools: [heavy] })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  expect((await session.get()).messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  await session.says('four', { clientTools: many('a', 40) })
  const [row] =
    await sql`select jsonb_array_length(client_tools) as n from sessions where key = ${session.key}`
  expect(row?.n).toBe(40)
})

test('a pattern that backtracks without end stops nobody but the call it is in', async () => {
  const schema = { properties: { colour: { type: 'string', pattern: '^(a+)+$' } } }
  const input = { colour: `${'a'.repeat(60)}b` }
  const world = await testWorld({ script: [calls({ name: 'paint', input }), says('Never mind.')] })
  const session = await world.session()
  await session.says('paint it', { clientTools: [tool('paint', schema)] })
  expect(await session.said()).toEqual(['Never mind.'])
  expect(JSON.stringify(world.model.requests[1]?.body.messages)).toContain('took too long to check')
})
