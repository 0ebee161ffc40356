import { notFound } from '@waystation/base/api-error.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { cancelCall } from '#lib/engine/calls/cancel.ts'
import { extendCall } from '#lib/engine/calls/extend.ts'
import { lockSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import type { Ctx, Subject } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { cancelTurn } from '#lib/sessions/cancel-turn.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listLog } from '#lib/sessions/list-log.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'
import { renameSession } from '#lib/sessions/rename-session.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const question = { name: 'ask-question', input: { question: 'Tea?' } }
const pickTool = { name: 'pick', description: 'Picks.', inputSchema: { type: 'object' as const } }

/** Creates the context of a session token without an HTTP request. */
const ctxOfToken = (sessionId: string, more: Partial<Subject> = {}): Ctx =>
  ctxFor({
    kind: 'subject',
    tokenId: 'tok_1',
    name: 'ada',
    subject: 'ada',
    scopes: ['read', 'send', 'answer'],
    sessionId,
    generation: 1,
    workspaceId: 'default',
    ...more
  })

/** Creates a token for this session over the API. */
async function tokenOf({ id }: TestSession, scopes = ['read', 'send', 'answer'], subject = 'ada') {
  const body = { subject, scopes }
  const response = await callEndpoint(tokenOperations.create, { params: { sessionId: id }, body })
  return String(response.body.token)
}

/** All functions that take a session ID, called for one session. */
const verbs: [string, (ctx: Ctx, sessionId: string) => Promise<unknown>][] = [
  ['look', (ctx, sessionId) => getSession(ctx, { sessionId })],
  ['follow', (ctx, sessionId) => followSession(ctx, { sessionId }, AbortSignal.abort())],
  ['log', (ctx, sessionId) => listLog(ctx, { sessionId, limit: 10 })],
  ['send', (ctx, sessionId) => sendMessage(ctx, SendMessage.parse({ sessionId, text: 'hi' }))],
  ['take back', (ctx, sessionId) => removeMessage(ctx, { sessionId, itemId: 'item' })],
  ['stop', (ctx, sessionId) => cancelTurn(ctx, { sessionId, calls: true })],
  ['retry', (ctx, sessionId) => retryTurn(ctx, { sessionId })],
  ['rename', (ctx, sessionId) => renameSession(ctx, { sessionId, title: 'Mine' })],
  ['delete', (ctx, sessionId) => deleteSession(ctx, { sessionId })],
  ['answer', (ctx, sessionId) => answerCall(ctx, { sessionId, toolCallId: 'c', answer: { declined: true } })],
  ['extend', (ctx, sessionId) => extendCall(ctx, { sessionId, toolCallId: 'c', seconds: 60 })],
  ['cancel', (ctx, sessionId) => cancelCall(ctx, { sessionId, toolCallId: 'c' })],
  ['the lookup itself', sessionKeyOf],
  ['the lock itself', lockSession]
]

test('below the API, too, a token finds only its own session in its generation', async () => {
  const server = await startTestServer()
  for (const [what, verb] of verbs) {
    const [mine, other] = [await server.startSession(), await server.startSession()]
    const missing = { code: 'NOT_FOUND', message: notFound('session', other.id).message }
    await expect(verb(ctxOfToken(mine.id), other.id), what).rejects.toMatchObject(missing)
    const otherGeneration = ctxOfToken(other.id, { generation: 2 })
    await expect(verb(otherGeneration, other.id), what).rejects.toMatchObject(missing)
    const result = await verb(ctxOfToken(other.id), other.id).catch(error => error)
    expect(String(result), what).not.toContain(missing.message)
  }
})

test('a token cannot create a session, not even its own', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  for (const sessionId of ['new', session.id])
    await expect(
      createSession(ctxOfToken(session.id), { agentId: 'guide', sessionId })
    ).rejects.toMatchObject({
      code: 'FORBIDDEN'
    })
})

test('messages and answers of an end user are recorded under their name and with the token', async () => {
  const server = await startTestServer({ script: [replyCalls(question), replyText('Fine.')] })
  const session = await server.startSession()
  const token = await tokenOf(session)
  const params = { sessionId: session.id }
  const parked = session.waitForEnd()
  await callEndpoint(sessionOperations.send, { params, body: { text: 'offer' } }, token)
  await parked
  const { toolCallId } = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  const response = await callEndpoint(
    callOperations.answer,
    { params: { ...params, toolCallId }, body: { output: { answer: 'yes' } } },
    token
  )
  expect(response).toEqual({ status: 200, body: { toolCallId, state: 'answered' } })
  expect(await ended).toMatchObject({ outcome: 'done' })
  const { messages, calls: shown } = await session.get()
  expect(messages[0]?.metadata).toMatchObject({ sentBy: 'ada' })
  expect(shown).toMatchObject([{ state: 'answered', answeredBy: 'ada', via: 'token' }])
})

test('each scope permits only its own operations: `send` cannot answer or read, `answer` cannot send, `read` can do neither', async () => {
  const server = await startTestServer({ script: [replyCalls(question, question)] })
  const session = await server.startSession()
  await session.runTurn('offer')
  const open = (await session.get()).session.waitingFor
  const params = { sessionId: session.id, toolCallId: open[0]?.toolCallId ?? '' }
  const statusesOf = async (token: string) =>
    Promise.all(
      [
        [sessionOperations.get, {}],
        [sessionOperations.cancel, { body: {} }],
        [callOperations.extend, { body: { seconds: 60 } }]
      ].map(
        async ([operation, request]) =>
          (await callEndpoint(operation as never, { params, ...request }, token)).status
      )
    )
  expect(await statusesOf(await tokenOf(session, ['read']))).toEqual([200, 403, 403])
  expect(await statusesOf(await tokenOf(session, ['send']))).toEqual([403, 200, 403])
  expect(await statusesOf(await tokenOf(session, ['answer']))).toEqual([403, 403, 200])

  // Stopping a turn needs `send`. Canceling its calls as well needs `answer`.
  const stopAll = async (scopes: string[]) =>
    (
      await callEndpoint(
        sessionOperations.cancel,
        { params, body: { calls: true } },
        await tokenOf(session, scopes)
      )
    ).status
  expect(await stopAll(['read', 'send'])).toBe(403)
  expect((await session.get()).session.waitingFor).toHaveLength(2)
  expect(await stopAll(['send', 'answer'])).toBe(200)
  expect((await session.get()).session.waitingFor).toEqual([])
})

test('a page with a token can declare tools and report their failure, later also with another token of the same end user', async () => {
  const pick = { name: 'pick', input: {} }
  const server = await startTestServer({ script: [replyCalls(pick, pick), replyText('No matter.')] })
  const session = await server.startSession()
  const parked = session.waitForEnd()
  const params = { sessionId: session.id }
  const body = { text: 'pick', clientTools: [pickTool] }
  expect((await callEndpoint(sessionOperations.send, { params, body }, await tokenOf(session))).status).toBe(
    202
  )
  await parked
  const [first, second] = (await session.get()).session.waitingFor
  const reportFailure = async (call: typeof first, subject: string) =>
    callEndpoint(
      callOperations.answer,
      { params: { ...params, toolCallId: call?.toolCallId ?? '' }, body: { error: 'No file.' } },
      await tokenOf(session, ['answer'], subject)
    )
  expect(await reportFailure(first, 'bob')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect((await reportFailure(first, 'ada')).status).toBe(200)
  expect((await reportFailure(second, 'ada')).status).toBe(200)
})

test('an end user cannot answer for an external service, but can decline its call, and does not see its URL', async () => {
  const externalSystem = await startExternalSystem(response => response.end('a secret reply'))
  const server = await startTestServer({
    script: [replyCalls({ name: 'dispatch', input: {} }), replyText('Left.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({
    chat: {
      tools: [
        {
          name: 'dispatch',
          where: 'external',
          description: 'Sends.',
          inputSchema: { type: 'object' },
          url: `${externalSystem.url}/orders`,
          approval: 'auto',
          retries: 0
        }
      ]
    }
  } as never)
  const session = await server.startSession('test')
  const parked = session.waitForEnd()
  await session.send('dispatch')
  await parked
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'delivered')
  const { toolCallId } = await session.waitForCall('dispatch')
  const token = await tokenOf(session)
  const request = { params: { sessionId: session.id, toolCallId } }
  const answer = (body: object) => callEndpoint(callOperations.answer, { ...request, body }, token)
  const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await callEndpoint(callOperations.link, request, token)).toMatchObject(forbidden)
  expect(await callEndpoint(sessionOperations.deliveries, request, token)).toMatchObject(forbidden)
  expect(await answer({ output: { order: 'paid' } })).toMatchObject(forbidden)
  expect(await answer({ error: 'No.' })).toMatchObject(forbidden)
  const ended = session.waitForEnd()
  expect(await answer({ declined: true })).toMatchObject({ status: 200 })
  expect(await ended).toMatchObject({ outcome: 'done' })

  const received: SessionEvent[] = []
  const stop = new AbortController()
  for await (const event of await followSession(
    ctxOfToken(session.id),
    { sessionId: session.id, after: 0 },
    stop.signal
  )) {
    received.push(event)
    if (event.type === 'status' && event.outcome === 'done') break
  }
  expect(session.events.some(({ type }) => type === 'delivery')).toBe(true)
  expect(received.some(({ type }) => type === 'delivery')).toBe(false)
  expect(JSON.stringify([received, await session.get()])).not.toContain(externalSystem.host)
})
