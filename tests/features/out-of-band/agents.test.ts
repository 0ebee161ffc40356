import { notFound } from '@waystation/base/api-error.ts'
import { expect, test } from 'vitest'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type OobInput = { sessionId: string; content: string; priority?: string }
const sendCalls = (...inputs: OobInput[]) =>
  replyCalls(...inputs.map(input => ({ name: 'send_out_of_band', input })))
const hasResult = (request: ModelRequest) =>
  request.body.messages.some(({ role }: { role: string }) => role === 'tool')

/**
 * Creates sessions with these IDs, whose agents can send each other out-of-band messages. `think` plays every
 * model.
 */
async function agentSessions(ids: string[], think: (request: ModelRequest) => Reply) {
  const server = await startTestServer({ script: think })
  await server.saveAgent({ chat: { tools: [{ name: 'send_out_of_band' }, { name: 'ask-question' }] } })
  for (const sessionId of ids) await createSession(server.ctx, { agentId: 'test', sessionId })
  const received = async (sessionId: string) => (await listOutOfBand(server.ctx, { sessionId })).messages
  const callsOf = async (sessionId: string) => {
    const session = await server.reopenSession(sessionId)
    return (await session.get()).calls.map(({ state, output, errorText }) => ({ state, output, errorText }))
  }
  return { ...server, received, callsOf }
}

test('004-2, 004-10, 004-11, 004-15: an agent sends an out-of-band message with its tool, and the message names its session', async () => {
  const server = await agentSessions(['reviewer', 'builder'], request =>
    hasResult(request)
      ? replyText('Told.')
      : sendCalls({ sessionId: 'builder', content: 'auth.ts changed.', priority: 'high' })
  )
  const reviewer = await server.reopenSession('reviewer')
  await reviewer.runTurn('review')
  expect(await server.received('builder')).toMatchObject([
    {
      source: 'agent',
      sourceId: 'reviewer',
      priority: 'high',
      content: 'auth.ts changed.',
      status: 'visible'
    }
  ])
  const [call] = await server.callsOf('reviewer')
  expect(call).toMatchObject({ state: 'answered', output: { status: 'visible', queuePosition: 1 } })
})

test('004-14: an agent cannot message itself or the sender of the message it handles, and a message is forwarded at most three times', async () => {
  const next: Record<string, string> = { a: 'b', b: 'c', c: 'd', d: 'e' }
  const server = await agentSessions(['a', 'b', 'c', 'd', 'e'], request => {
    if (hasResult(request)) return replyText('Told.')
    const ownName = /news for (\w)/.exec(JSON.stringify(request.body.messages))?.[1] ?? 'a'
    const on = next[ownName] ?? 'a'
    return sendCalls(
      { sessionId: on, content: `news for ${on}`, priority: 'critical' },
      { sessionId: ownName, content: 'to myself' },
      { sessionId: 'a', content: 'back to the first' }
    )
  })
  const a = await server.reopenSession('a')
  await a.runTurn('news for a')
  for (const id of ['b', 'c', 'd']) {
    const session = await server.reopenSession(id)
    await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  }
  const errors = async (id: string) => (await server.callsOf(id)).map(({ errorText }) => errorText ?? 'told')
  expect(await errors('a')).toEqual(['told', expect.any(String), expect.any(String)])
  expect(await errors('b')).toEqual(['told', expect.any(String), expect.any(String)])
  expect((await errors('d'))[0]).not.toBe('told')
  expect(await server.received('a')).toEqual([])
  expect(await server.received('e')).toEqual([])
  await expectValidSessions(server.sql)
})

test('004-14: hops are counted along the path of a message, not over all senders', async () => {
  const server = await agentSessions(['w1', 'w2', 'w3', 'hub', 'other'], request => {
    const promptText = JSON.stringify(request.body.messages)
    if (hasResult(request)) return replyText('Told.')
    if (promptText.includes('report')) return sendCalls({ sessionId: 'hub', content: 'What came of it.' })
    if (promptText.includes('came of it')) return sendCalls({ sessionId: 'other', content: 'All of it.' })
    return replyText('Hm.')
  })
  for (const id of ['w1', 'w2', 'w3']) await (await server.reopenSession(id)).runTurn('report')
  await (await server.reopenSession('hub')).runTurn('and now?')
  expect(await server.callsOf('hub')).toMatchObject([{ state: 'answered' }])
  expect(await server.received('other')).toMatchObject([{ content: 'All of it.' }])
})

test('004-14: the senders of a message are remembered while its agent waits for a user', async () => {
  const question = { name: 'ask-question', input: { question: 'Which way?' } }
  const replyInput = { name: 'send_out_of_band', input: { sessionId: 'a', content: 'Back to you.' } }
  const server = await agentSessions(['a', 'b'], request => {
    const promptText = JSON.stringify(request.body.messages)
    if (promptText.includes('Back to you.') || (hasResult(request) && !promptText.includes('Which way?')))
      return replyText('Told.')
    if (hasResult(request)) return replyCalls(replyInput)
    return promptText.includes('News.')
      ? replyCalls(question)
      : sendCalls({ sessionId: 'b', content: 'News.', priority: 'critical' })
  })
  await (await server.reopenSession('a')).runTurn('go')
  const b = await server.reopenSession('b')
  const ended = b.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  await b.answer(await b.waitForCall('ask-question'), { output: { answer: 'that way' } })
  await ended
  expect((await server.callsOf('b')).at(-1)).toMatchObject({
    state: 'failed',
    errorText: expect.any(String)
  })
})

test('004-14: an agent sends at most ten messages a minute, even if it sends many at once', async () => {
  const otherIds = Array.from({ length: 12 }, (_, n) => `s-${n}`)
  const server = await agentSessions(['chatty', ...otherIds], request =>
    hasResult(request)
      ? replyText('Told.')
      : sendCalls(...otherIds.map(sessionId => ({ sessionId, content: 'hello' })))
  )
  const chattySession = await server.reopenSession('chatty')
  await chattySession.runTurn('go')
  const results = await server.callsOf('chatty')
  expect(results.filter(({ state }) => state === 'answered')).toHaveLength(10)
  for (const { state, errorText } of results) if (state === 'failed') expect(errorText).toMatch(/\b10\b/)
})

test('004-11: an agent reaches no session of another workspace', async () => {
  const server = await agentSessions(['chatty'], request =>
    hasResult(request) ? replyText('Told.') : sendCalls({ sessionId: 'theirs', content: 'hello' })
  )
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  const otherWorkspace = server.actAs('Owner', 'other')
  await server.sql`insert into agents (workspace_id, id, config) select 'other', id, config from agents where id = 'test'`
  await createSession(otherWorkspace, { agentId: 'test', sessionId: 'theirs' })
  const chattySession = await server.reopenSession('chatty')
  await chattySession.runTurn('go')
  expect((await server.callsOf('chatty'))[0]).toMatchObject({
    state: 'failed',
    errorText: notFound('session', 'theirs').message
  })
  expect(await listOutOfBand(otherWorkspace, { sessionId: 'theirs' })).toEqual({ messages: [] })
})
