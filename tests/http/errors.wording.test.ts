import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { endpointNotFound } from '#lib/http/response/endpoint-not-found.ts'
import { toApiError } from '#lib/http/response/to-api-error.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { replyCalls, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const adminKey = 'the-admin-key-of-every-test'
const question = { name: 'ask-question', input: { question: 'Tea?' } }
const nested = `{"text":${'['.repeat(300)}1${']'.repeat(300)}}`
const user = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })

/** Starts a server with three sessions: `idle`, `waits` (for an answer) and `works`. */
async function startServed() {
  const server = await startTestServer({
    script: ({ body }) =>
      JSON.stringify(body.messages).includes('Hold') ? replyThenHold('One') : replyCalls(question)
  })
  const open = async (sessionId: string, text?: string) => {
    await createSession(server.ctx, { agentId: 'guide', sessionId })
    const session = await server.reopenSession(sessionId)
    if (text !== undefined) await session.send(text)
    return session
  }
  const url = await serveApi()
  const ask = async (method: string, path: string, body?: unknown, secret: string | null = adminKey) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` })
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    return ((await response.json()) as { error?: string }).error
  }
  await open('idle')
  const call = await (await open('waits', 'Ask me.')).waitForCall('ask-question')
  await (await open('works', 'Hold on.')).waitForText('One')
  return { ...server, url, ask, call }
}

test('error messages for rejected requests', async () => {
  const { ctx, ask, call, model } = await startServed()
  const viewer = (await createKey(ctx, { name: 'Vic', role: 'viewer' })).secret
  const tokenFor = async (sessionId: string) =>
    (await createToken(ctx, { sessionId, subject: 'ada', scopes: ['read', 'send'], ttlSeconds: 600 })).token
  const token = await tokenFor('waits')
  const settled = {
    role: 'assistant',
    parts: [{ type: 'tool-ask-question', toolCallId: call.toolCallId, state: 'output-available', output: {} }]
  }
  const messages = '/sessions/idle/messages'
  const rejected: [
    method: string,
    path: string,
    body: unknown,
    credential: string | null,
    sentence: string
  ][] = [
    [
      'GET',
      '/agents',
      undefined,
      null,
      'Authentication is required. Sign in, or send an API key of this workspace as "Authorization: Bearer …".'
    ],
    [
      'POST',
      messages,
      { text: 'hi' },
      viewer,
      'This action needs the role operator, but your role is viewer. Ask an owner for access.'
    ],
    [
      'GET',
      '/agents',
      undefined,
      token,
      'A session token gives access only to its own session. Send an API key for this request.'
    ],
    ['POST', messages, '{"text": "hel', adminKey, 'The body is not valid JSON.'],
    ['POST', messages, '["hi"]', adminKey, 'The body must be a JSON object.'],
    ['POST', messages, nested, adminKey, 'The body is nested more than 100 levels deep.'],
    ['POST', messages, { text: 7 }, adminKey, '"text" is invalid: expected string, received number.'],
    ['POST', messages, { text: ' ' }, adminKey, 'The message is empty. Write something, or attach a file.'],
    [
      'POST',
      messages,
      { text: 'x'.repeat(300_000) },
      adminKey,
      'A message can be up to 256 KiB. Shorten it, or send several messages.'
    ],
    [
      'POST',
      messages,
      { text: 'x'.repeat(3_000_000) },
      adminKey,
      'This request is larger than the limit of 2 MiB. Send a smaller request.'
    ],
    [
      'GET',
      '/waiting?cursor=none',
      undefined,
      adminKey,
      'The cursor is invalid. Start again without a cursor.'
    ],
    ['GET', '/sessions/none', undefined, adminKey, 'There is no session "none".'],
    [
      'POST',
      '/chat',
      { id: 'works', messages: [user('And now?')] },
      adminKey,
      'The agent is working. Wait until it is done or stop it, then send this request again.'
    ],
    [
      'POST',
      '/chat',
      { id: 'idle', messages: [], trigger: 'regenerate-message' },
      adminKey,
      'There is nothing to run again: the session has no user message yet.'
    ],
    [
      'POST',
      '/chat',
      { id: 'waits', messages: [settled, user('Go on.')] },
      token,
      'This credential cannot answer calls, so nothing was stored. Use a credential that can answer calls.'
    ],
    [
      'POST',
      '/chat',
      { id: 'idle', messages: [{ role: 'user', parts: [{ type: 'file', url: 7 }] }] },
      adminKey,
      '"0.mediaType" is invalid: a value is required (and 1 more).'
    ]
  ]
  for (const [method, path, body, secret, sentence] of rejected)
    expect(await ask(method, path, body, secret), `${method} ${path}`).toBe(sentence)
  model.release()
})

test.each(['GET', 'PUT'])('error message for %s of an unknown endpoint', async method => {
  const request = new Request('http://localhost:3000/api/nothing', { method })
  expect((await endpointNotFound(request).json()).error).toBe(
    `There is no endpoint ${method} /api/nothing. See /api/openapi.json.`
  )
})

test('error messages for rejected socket frames', async () => {
  const { url, model } = await startServed()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { authorization: `Bearer ${adminKey}` }
  })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const send = async (frame: object | string) => {
    const response = once(socket, 'message')
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    return JSON.parse(String((await response)[0])) as { error?: string }
  }
  const message = { type: 'user_message', text: 'hi' }
  expect((await send(message)).error).toBe('Send a hello frame first: {"type":"hello","sessionId":"…"}.')
  expect((await send('{"type":')).error).toBe('The body is not valid JSON.')
  await send({ type: 'hello', sessionId: 'idle' })
  expect((await send({ ...message, sessionId: 'works' })).error).toBe(
    'This socket is connected to the session "idle". To use another session, send a hello frame for it first.'
  )
  model.release()
})

test.each([
  [
    new Error('secret'),
    /^The server had an internal error \(reference err_\w+\)\. Try again, or give the reference to the operator of this server\.$/
  ],
  [
    Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }),
    /^The database is not available \(reference err_\w+\)\. Try again in a moment\.$/
  ]
])('error messages for internal errors contain a reference: %s', (error, sentence) => {
  allowErrors(/a request failed/)
  expect(toApiError(error, { method: 'GET', path: '/x' }).apiError.message).toMatch(sentence)
})
