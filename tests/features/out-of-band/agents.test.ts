import { notFound } from '@waystation/base/refusal.ts'
import { expect, test } from 'vitest'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { calls, type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { testWorld } from '#tests/support/servers/test-server.ts'

type OobInput = { sessionId: string; content: string; priority?: string }
const sendCalls = (...inputs: OobInput[]) =>
  calls(...inputs.map(input => ({ name: 'send_out_of_band', input })))
const hasResult = (request: ModelRequest) =>
  request.body.messages.some(({ role }: { role: string }) => role === 'tool')

/**
 * Creates sessions with these IDs, whose agents can send each other out-of-band messages. `think` plays every
 * model.
 */
async function agentSessions(ids: string[], think: (request: ModelRequest) => Reply) {
  const world = await testWorld({ script: think })
  await world.agent({ chat: { tools: [{ name: 'send_out_of_band' }, { name: 'ask-question' }] } })
  for (const sessionId of ids) await createSession(world.ctx, { agentId: 'test', sessionId })
  const received = async (sessionId: string) => (await listOutOfBand(world.ctx, { sessionId })).messages
  const callsOf = async (sessionId: string) => {
    const session = await world.reopen(sessionId)
    return (await session.get()).calls.map(({ state, output, errorText }) => ({ state, output, errorText }))
  }
  return { ...world, received, callsOf }
}

test('004-2, 004-10, 004-11, 004-15: an agent sends an out-of-band message with its tool, and the message names its session', async () => {
  const world = await agentSessions(['reviewer', 'builder'], request =>
    hasResult(request)
      ? says('Told.')
      : sendCalls({ sessionId: 'builder', content: 'auth.ts changed.', priority: 'high' })
  )
  const reviewer = await world.reopen('reviewer')
  await reviewer.says('review')
  expect(await world.received('builder')).toMatchObject([
    {
      source: 'agent',
      sourceId: 'reviewer',
      priority: 'high',
      content: 'auth.ts changed.',
      status: 'visible'
    }
  ])
  const [call] = await world.callsOf('reviewer')
  expect(call).toMatchObject({ state: 'answered', output: { status: 'visible', queuePosition: 1 } })
})

test('004-14: an agent cannot message itself or the sender of the message it handles, and a message is forwarded at most three times', async () => {
  const next: Record<string, string> = { a: 'b', b: 'c', c: 'd', d: 'e' }
  const world = await agentSessions(['a', 'b', 'c', 'd', 'e'], request => {
    if (hasResult(request)) return says('Told.')
    const ownName = /news for (\w)/.exec(JSON.stringify(request.body.messages))?.[1] ?? 'a'
    const on = next[ownName] ?? 'a'
    return sendCalls(
      { sessionId: on, content: `news for ${on}`, priority: 'critical' },
      { sessionId: ownName, content: 'to myself' },
      { sessionId: 'a', content: 'back to the first' }
    )
  })
  const a = await world.reopen('a')
  await a.says('news for a')
  for (const id of ['b', 'c', 'd']) {
    const session = await world.reopen(id)
    await session.sees(event => event.type === 'status' && event.outcome === 'done')
  }
  const errors = async (id: string) => (await world.callsOf(id)).map(({ errorText }) => errorText ?? 'told')
  expect(await errors('a')).toEqual(['told', expect.any(String), expect.any(String)])
  expect(await errors('b')).toEqual(['told', expect.any(String), expect.any(String)])
  expect((await errors('d'))[0]).not.toBe('told')
  expect(await world.received('a')).toEqual([])
  expect(await world.received('e')).toEqual([])
  await expectSoundSessions(world.sql)
})

test('004-14: hops are counted along the path of a message, not over all senders', async () => {
  const world = await agentSessions(['w1', 'w2', 'w3', 'hub', 'other'], request => {
    const promptText = JSON.stringify(request.body.messages)
    if (hasResult(request)) return says('Told.')
    if (promptText.includes('report')) return sendCalls({ sessionId: 'hub', content: 'What came of it.' })
    if (promptText.includes('came of it')) return sendCalls({ sessionId: 'other', content: 'All of it.' })
    return says('Hm.')
  })
  for (const id of ['w1', 'w2', 'w3']) await (await world.reopen(id)).says('report')
  await (await world.reopen('hub')).says('and now?')
  expect(await world.callsOf('hub')).toMatchObject([{ state: 'answered' }])
  expect(await world.received('other')).toMatchObject([{ content: 'All of it.' }])
})

test('004-14: the senders of a message are remembered while its agent waits for a user', async () => {
  const question = { name: 'ask-question', input: { question: 'Which way?' } }
  const replyInput = { name: 'send_out_of_band', input: { sessionId: 'a', content: 'Back to you.' } }
  const world = await agentSessions(['a', 'b'], request => {
    const promptText = JSON.stringify(request.body.messages)
    if (promptText.includes('Back to you.') || (hasResult(request) && !promptText.includes('Which way?')))
      return says('Told.')
    if (hasResult(request)) return calls(replyInput)
    return promptText.includes('News.')
      ? calls(question)
      : sendCalls({ sessionId: 'b', content: 'News.', priority: 'critical' })
  })
  await (await world.reopen('a')).says('go')
  const b = await world.reopen('b')
  const ended = b.sees(event => event.type === 'status' && event.outcome === 'done')
  await b.answer(await b.waitsFor('ask-question'), { output: { answer: 'that way' } })
  await ended
  expect((await world.callsOf('b')).at(-1)).toMatchObject({
    state: 'failed',
    errorText: expect.any(String)
  })
})

test('004-14: an agent sends at most ten messages a minute, even if it sends many at once', async () => {
  const otherIds = Array.from({ length: 12 }, (_, n) => `s-${n}`)
  const world = await agentSessions(['chatty', ...otherIds], request =>
    hasResult(request)
      ? says('Told.')
      : sendCalls(...otherIds.map(sessionId => ({ sessionId, content: 'hello' })))
  )
  const chattySession = await world.reopen('chatty')
  await chattySession.says('go')
  const results = await world.callsOf('chatty')
  expect(results.filter(({ state }) => state === 'answered')).toHaveLength(10)
  for (const { state, errorText } of results) if (state === 'failed') expect(errorText).toMatch(/\b10\b/)
})

test('004-11: an agent reaches no session of another workspace', async () => {
  const world = await agentSessions(['chatty'], request =>
    hasResult(request) ? says('Told.') : sendCalls({ sessionId: 'theirs', content: 'hello' })
  )
  await world.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  const otherWorkspace = world.as('Owner', 'other')
  await world.sql`insert into agents (workspace_id, id, config) select 'other', id, config from agents where id = 'test'`
  await createSession(otherWorkspace, { agentId: 'test', sessionId: 'theirs' })
  const chattySession = await world.reopen('chatty')
  await chattySession.says('go')
  expect((await world.callsOf('chatty'))[0]).toMatchObject({
    state: 'failed',
    errorText: notFound('session', 'theirs').message
  })
  expect(await listOutOfBand(otherWorkspace, { sessionId: 'theirs' })).toEqual({ messages: [] })
})
