import type { TurnResult, Variant } from '@waystation/protocol/session/comparison.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { expect, test } from 'vitest'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const chatWith = (instructions: string, more: object = {}) => ({ chat: { instructions, ...more } })

type Refs = { trials: { sessionId: string; messageId: string }[] }

const compare = (sessionId: string, messageId: string, variants: Variant[], more: object = {}) =>
  callEndpoint(trialOperations.compare, {
    params: { sessionId },
    body: { messageId, with: variants, ...more }
  }) as Promise<{ status: number; body: Refs & { code?: string } }>
const resultOf = async (turn: { sessionId: string; messageId: string }) =>
  (await callEndpoint(trialOperations.result, { params: turn })).body as unknown as TurnResult
const keep = (sessionId: string) => callEndpoint(trialOperations.keep, { params: { sessionId } })
const texts = async (session: TestSession) => (await session.get()).messages.map(textOf)
const userMessage = async (session: TestSession, text: string) =>
  (await session.get()).messages.find(message => message.role === 'user' && textOf(message) === text)?.id ??
  ''

/** Waits until a started trial rests, and returns it. */
async function settled(server: TestServer, { sessionId }: { sessionId: string }): Promise<TestSession> {
  const trial = await server.reopenSession(sessionId)
  await trial.waitForEvent(event => event.type === 'status' && event.outcome !== undefined)
  return trial
}

/** Answers with the agent's instructions and the model, so that each revision answers otherwise. */
const echo = {
  script: ({ body }: { body: { model: string; messages: { content: unknown }[] } }) =>
    replyText(`${/First|Second|Draft/.exec(JSON.stringify(body.messages))?.[0]} on ${body.model}`)
}

/** Starts a session of an agent with two revisions and a draft, after two turns on the second revision. */
async function withTurns(options: Parameters<typeof startTestServer>[0] = echo as never) {
  const server = await startTestServer(options)
  await helper.create(chatWith('First.', { model: 'openai/one' }))
  await helper.put(chatWith('Second.', { model: 'openai/one' }))
  await helper.save(chatWith('Draft.', { model: 'openai/one' }), { base: 2 })
  const session = await server.startSession('helper')
  await session.runTurn('hello')
  await session.runTurn('more')
  return {
    ...server,
    session,
    hello: await userMessage(session, 'hello'),
    more: await userMessage(session, 'more')
  }
}

test('a message runs on another revision, the draft or another model, and its session does not change', async () => {
  const { session, hello, ...server } = await withTurns()
  const before = await session.log()
  const { status, body } = await compare(session.id, hello, [
    { revision: 1 },
    { revision: 'draft', model: 'openai/two' }
  ])
  expect(status).toBe(201)
  const trials = await Promise.all(body.trials.map(trial => settled(server, trial)))
  expect(await Promise.all(trials.map(texts))).toEqual([
    ['hello', 'First on one'],
    ['hello', 'Draft on two']
  ])
  expect(await session.log()).toEqual(before)
  expect(await Promise.all(body.trials.map(resultOf))).toMatchObject([
    {
      state: 'done',
      text: 'First on one',
      revision: 1,
      model: 'openai/one',
      inputTokens: 20,
      outputTokens: 10
    },
    {
      state: 'done',
      text: 'Draft on two',
      revision: -1,
      model: 'openai/two',
      calls: [],
      usd: expect.any(Number)
    }
  ])
  const original = await resultOf({ sessionId: session.id, messageId: hello })
  expect(original).toMatchObject({ text: 'Second on one', revision: 2, seconds: expect.any(Number) })
})

test('a later message runs with the conversation before it, and without a revision on that of its session', async () => {
  const { session, more, ...server } = await withTurns()
  const { body } = await compare(session.id, more, [{ model: 'openai/two' }])
  const [trial] = await Promise.all(body.trials.map(started => settled(server, started)))
  expect(await texts(trial as TestSession)).toEqual(['hello', 'Second on one', 'more', 'Second on two'])
  expect((await trial?.get())?.session).toMatchObject({
    trial: true,
    branchedFrom: { sessionId: session.id }
  })
})

test('the same key returns the same trials, and another body is refused', async () => {
  const { session, hello, ...server } = await withTurns()
  const twice = await Promise.all(
    [1, 2].map(() => compare(session.id, hello, [{ revision: 1 }], { key: 'a' }))
  )
  expect(twice[0]).toEqual(twice[1])
  const other = await compare(session.id, hello, [{ revision: 2 }], { key: 'a' })
  expect(other).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } })
  const [{ count = 0 } = {}] = await server.sql`select count(*)::int as count from sessions where trial`
  expect(count).toBe(1)
})

test('if one variant cannot run, no trial starts', async () => {
  const { session, hello, ...server } = await withTurns()
  expect(await compare(session.id, hello, [{ revision: 1 }, { revision: 9 }])).toMatchObject({ status: 404 })
  expect(await compare(session.id, 'nowhere', [{ revision: 1 }])).toMatchObject({ status: 409 })
  expect(await server.sql`select from sessions where trial`).toHaveLength(0)
})

test('tools of a trial ask as always, also in the trial, and its call waits only there', async () => {
  const ask = { name: 'web-fetch', input: { url: 'https://acme.example' } }
  const tools = [{ name: 'web-fetch', approval: 'ask' }]
  const server = await startTestServer({ script: [replyText('1'), replyCalls(ask)] })
  await helper.create(chatWith('First.'))
  await helper.put(chatWith('Second.', { tools }))
  const session = await server.startSession('helper')
  await session.runTurn('hello', {})
  const { body } = await compare(session.id, await userMessage(session, 'hello'), [{ revision: 2 }])
  const trial = await server.reopenSession(body.trials[0]?.sessionId ?? '')
  const call = await trial.waitForCall('web-fetch')
  expect(await resultOf(body.trials[0] as never)).toMatchObject({
    state: 'waiting',
    calls: [{ toolCallId: call.toolCallId, toolName: 'web-fetch', input: ask.input, state: 'open' }]
  })
  expect((await listPendingCalls(server.ctx, {})).calls).toEqual([])
})

test('a kept trial is an ordinary session: it follows the published revision, or keeps the pin to what it ran on', async () => {
  const { session, hello, ...server } = await withTurns()
  const { body } = await compare(session.id, hello, [{ revision: 2 }, { revision: 'draft' }])
  const [published, draft] = body.trials as [Refs['trials'][0], Refs['trials'][0]]
  await Promise.all(body.trials.map(trial => settled(server, trial)))
  const listed = async () => (await listSessions(server.ctx, { limit: 50 })).sessions.map(({ id }) => id)
  expect(await listed()).not.toContain(draft.sessionId)
  expect(await keep(published.sessionId)).toMatchObject({ status: 200, body: { pinnedRevision: null } })
  expect(await keep(draft.sessionId)).toMatchObject({ body: { pinnedRevision: -1 } })
  expect(await keep(draft.sessionId)).toMatchObject({ body: { pinnedRevision: -1 } })
  expect(await listed()).toEqual(expect.arrayContaining([published.sessionId, draft.sessionId]))
  const kept = await getSession(server.ctx, { sessionId: draft.sessionId })
  expect(kept.session).not.toHaveProperty('trial')
})

test('a trial on a draft that was published meanwhile is kept on that revision', async () => {
  const { session, hello, ...server } = await withTurns()
  const { body } = await compare(session.id, hello, [{ revision: 'draft' }])
  await Promise.all(body.trials.map(trial => settled(server, trial)))
  await helper.publish({ base: 2 })
  await helper.put(chatWith('Fourth.'))
  expect(await keep(body.trials[0]?.sessionId ?? '')).toMatchObject({ body: { pinnedRevision: 3 } })
})

test('a session that was handed to another agent is not compared', async () => {
  const { session, hello, ...server } = await withTurns()
  await server.saveAgent({ agentId: 'other', displayName: 'Other' })
  const params = { sessionId: session.id }
  await callEndpoint(sessionOperations.handOff, { params, body: { agentId: 'other' } })
  expect(await compare(session.id, hello, [{ revision: 1 }])).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
})
