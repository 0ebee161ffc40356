import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { ServerFrame } from '@waystation/protocol/socket.ts'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { revokeToken } from '#lib/auth/tokens/revoke-token.ts'
import type { SubjectScope } from '#lib/kernel/ctx.ts'
import type { Timing } from '#lib/kernel/timing.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const origin = 'https://shop.example'

/** Connects a client to `/ws` that records the received frames and how it was closed. */
function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
  onTestFinished(() => socket.terminate())
  const frames: ServerFrame[] = []
  const waiters = new Set<() => void>()
  socket.on('message', data => {
    frames.push(JSON.parse(String(data)))
    for (const wake of waiters) wake()
  })
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  const waitForFrame = async <T extends ServerFrame>(
    matches: (frame: ServerFrame) => frame is T
  ): Promise<T> => {
    for (;;) {
      const frame = frames.find(matches)
      if (frame !== undefined) return frame
      await new Promise<void>(resolve => waiters.add(resolve))
    }
  }
  return {
    socket,
    frames,
    closed,
    socketOpen: once(socket, 'open'),
    sendFrame: (frame: object | string) =>
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    waitForFrame: <Type extends ServerFrame['type']>(
      type: Type,
      also: (frame: Extract<ServerFrame, { type: Type }>) => boolean = () => true
    ) =>
      waitForFrame(
        (frame): frame is Extract<ServerFrame, { type: Type }> => frame.type === type && also(frame as never)
      )
  }
}

async function startServed(pace: Partial<Timing> = {}, settings: Record<string, string> = {}) {
  const server = await startTestServer({ timing: pace, settings })
  const session = await server.startSession()
  const url = await serveApi()
  const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'operator' })
  const asKey = { authorization: `Bearer ${secret}` }
  const tokenOf = (scopes: SubjectScope[]) =>
    createToken(server.ctx, { sessionId: session.id, subject: 'ada', scopes, ttlSeconds: 60 })
  return { ...server, session, another: server.startSession, url, asKey, tokenOf }
}

const textsIn = (frames: ServerFrame[]) =>
  frames
    .flatMap(frame => (frame.type === 'event' && frame.event.type === 'chunk' ? [frame.event.chunk] : []))
    .flatMap(chunk => (chunk.type === 'text-delta' ? [chunk.delta] : []))
    .join('')

test('000-9: session_ready answers hello, and a user_message starts the agent, whose text arrives as events', async () => {
  const { url, asKey, session } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'hello', id: 'h', sessionId: session.id })
  expect(await client.waitForFrame('session_ready')).toEqual({
    type: 'session_ready',
    re: 'h',
    sessionId: session.id,
    uptime: expect.any(Number)
  })
  client.sendFrame({ type: 'user_message', id: 'm', text: 'say good morning' })
  expect(await client.waitForFrame('message_accepted')).toMatchObject({
    re: 'm',
    status: 'started',
    itemId: expect.any(String)
  })
  await client.waitForFrame('event', ({ event }) => event.type === 'status' && event.status === 'idle')
  expect(textsIn(client.frames)).toContain('good morning')
  expect(client.frames[0]?.type).toBe('session_ready')
  const seqs = client.frames.flatMap(frame => (frame.type === 'event' ? [frame.event.seq] : []))
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
})

test('text_input is an alias of user_message, and its clientMessageId makes it idempotent', async () => {
  const { url, asKey, session, ctx } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id })
  for (const id of ['one', 'two'])
    client.sendFrame({
      type: 'text_input',
      id,
      sessionId: session.id,
      text: 'say hi',
      clientMessageId: 'c-1'
    })
  const [first, second] = [
    await client.waitForFrame('message_accepted', ({ re }) => re === 'one'),
    await client.waitForFrame('message_accepted', ({ re }) => re === 'two')
  ]
  expect({ ...first, re: 'two' }).toEqual(second)
  const { messages } = await getSession(ctx, { sessionId: session.id })
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1)
})

test('a question is answered and a turn is stopped on the socket, and a second answer gets the name of the first user', async () => {
  const { url, asKey, session } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id })
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const { toolCallId } = await session.waitForCall('ask-question')
  const ended = session.waitForEnd()
  client.sendFrame({ type: 'answer', id: 'a', toolCallId, answer: { output: { answer: 'tea' } } })
  expect(await client.waitForFrame('answer_accepted')).toEqual({
    type: 'answer_accepted',
    re: 'a',
    toolCallId,
    state: 'answered'
  })
  client.sendFrame({ type: 'answer', id: 'b', toolCallId, answer: { output: { answer: 'coffee' } } })
  expect(await client.waitForFrame('error')).toMatchObject({
    re: 'b',
    code: 'ALREADY_SETTLED',
    winner: { answeredBy: 'Robot' }
  })
  await ended
  client.sendFrame({ type: 'user_message', text: 'count to 200' })
  await client.waitForFrame(
    'event',
    ({ event }) => event.type === 'chunk' && event.chunk.type === 'text-delta'
  )
  client.sendFrame({ type: 'cancel', id: 'c' })
  expect(await client.waitForFrame('cancel_accepted')).toMatchObject({ re: 'c', turnId: expect.any(String) })
})

test('004-6: the socket sends an out-of-band message to a running agent once per key, and its states arrive as events', async () => {
  const { url, session, tokenOf } = await startServed()
  const { token } = await tokenOf(['read', 'send'])
  const client = connect(url)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id, token })
  client.sendFrame({ type: 'user_message', text: 'count to 60' })
  await client.waitForFrame(
    'event',
    ({ event }) => event.type === 'chunk' && event.chunk.type === 'text-delta'
  )
  for (const id of ['one', 'two'])
    client.sendFrame({ type: 'oob', id, content: 'Only to 60.', priority: 'high', key: 'k' })
  const [first, second] = [
    await client.waitForFrame('oob_accepted', ({ re }) => re === 'one'),
    await client.waitForFrame('oob_accepted', ({ re }) => re === 'two')
  ]
  expect(first).toEqual({
    type: 'oob_accepted',
    re: 'one',
    oobId: expect.stringMatching(/^oob_/),
    status: 'visible',
    queuePosition: 1
  })
  expect({ ...second, re: 'one' }).toEqual(first)
  const injected = await client.waitForFrame(
    'event',
    ({ event }) => event.type === 'oob' && event.message.status === 'injected'
  )
  expect(injected.event).toMatchObject({
    message: {
      id: first.oobId,
      sessionId: session.id,
      timestamp: expect.any(Number),
      source: 'user',
      sourceId: 'ada',
      content: 'Only to 60.'
    }
  })

  client.sendFrame({ type: 'oob', id: 'wrong', content: 'hi', source: 'system' })
  expect(await client.waitForFrame('error', ({ re }) => re === 'wrong')).toMatchObject({
    code: 'FORBIDDEN'
  })
  client.sendFrame({ type: 'oob', id: 'urgent', content: 'hi', priority: 'critical' })
  expect(await client.waitForFrame('error', ({ re }) => re === 'urgent')).toMatchObject({
    code: 'FORBIDDEN',
    fields: { priority: expect.any(String) }
  })
  client.sendFrame({ type: 'oob', id: 'empty', content: ' ' })
  expect(await client.waitForFrame('error', ({ re }) => re === 'empty')).toMatchObject({
    code: 'EMPTY_MESSAGE'
  })
  const { token: reader } = await tokenOf(['read'])
  client.sendFrame({ type: 'hello', id: 'reader', sessionId: session.id, token: reader })
  await client.waitForFrame('session_ready', ({ re }) => re === 'reader')
  client.sendFrame({ type: 'oob', id: 'no', content: 'hi' })
  expect(await client.waitForFrame('error', ({ re }) => re === 'no')).toMatchObject({ code: 'FORBIDDEN' })
})

test('with a cursor, only newer events are sent, and another hello switches to another session', async () => {
  const { url, asKey, session, another } = await startServed()
  await session.runTurn('say one')
  const { cursor } = await session.get()
  const other = await another()
  await other.runTurn('say other')
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id, after: cursor })
  await session.runTurn('say two')
  await client.waitForFrame('event', ({ event }) => event.type === 'status' && event.status === 'idle')
  expect(textsIn(client.frames)).toContain('two')
  expect(textsIn(client.frames)).not.toContain('one')
  client.sendFrame({ type: 'hello', id: 'again', sessionId: other.id, after: 0 })
  await client.waitForFrame('session_ready', ({ re }) => re === 'again')
  await session.runTurn('say three')
  await other.runTurn('say four')
  await client.waitForFrame(
    'event',
    ({ event }) =>
      event.type === 'chunk' && event.chunk.type === 'text-delta' && event.chunk.delta.includes('four')
  )
  expect(textsIn(client.frames)).not.toContain('three')
})

test('an invalid frame gets an error that names the problem, and the socket stays open', async () => {
  const { url, asKey, session } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  const sendInvalid = async (frame: object | string) => {
    const before = client.frames.length
    client.sendFrame(frame)
    return client.waitForFrame('error', error => client.frames.indexOf(error) >= before)
  }
  expect(await sendInvalid('{"type":')).toMatchObject({ code: 'MALFORMED_JSON' })
  expect(await sendInvalid({ type: 'sing' })).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await sendInvalid({ type: 'user_message', text: 'hi' })).toMatchObject({
    code: 'INVALID_INPUT',
    error: expect.stringContaining('hello')
  })
  expect(await sendInvalid({ type: 'hello', sessionId: 'nowhere' })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await sendInvalid({ type: 'hello', sessionId: session.id, token: 'wst_中' })).toMatchObject({
    code: 'INVALID_INPUT'
  })
  client.sendFrame({ type: 'hello', sessionId: session.id })
  await client.waitForFrame('session_ready')
  expect(await sendInvalid({ type: 'user_message', text: '  ' })).toMatchObject({ code: 'EMPTY_MESSAGE' })
  expect(await sendInvalid({ type: 'user_message', sessionId: 'other', text: 'x' })).toMatchObject({
    code: 'INVALID_INPUT'
  })
  client.sendFrame({ type: 'ping', id: 'p' })
  expect(await client.waitForFrame('pong')).toEqual({ type: 'pong', re: 'p' })
})

test('22 A1: before hello, the server accepts only hello and ping, and only a few frames', async () => {
  const { url, asKey, session } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'ping', id: 'p' })
  await client.waitForFrame('pong')
  // The server does not validate the rest of the frame.
  client.sendFrame({ type: 'user_message', id: 'early', text: 5, clientTools: 'none' })
  expect(await client.waitForFrame('error', ({ re }) => re === 'early')).toMatchObject({ fields: {} })
  expect(client.frames.at(-1)).not.toHaveProperty('fields.text')
  for (let n = 0; n < 16; n++) client.sendFrame({ type: 'user_message', text: 'hi' })
  expect((await client.closed).code).toBe(1008)
  expect((await session.get()).messages).toEqual([])
})

test('22 A4: each frame uses up the limit of its sender, including pings, and a large one before it is parsed', async () => {
  const { url, session, tokenOf } = await startServed({}, { WAYSTATION_LIMIT_SUBJECT: '3' })
  const { token } = await tokenOf(['read'])
  const client = connect(url)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id, token })
  await client.waitForFrame('session_ready')
  for (const id of ['one', 'two']) {
    client.sendFrame({ type: 'ping', id })
    await client.waitForFrame('pong', ({ re }) => re === id)
  }
  client.sendFrame({ type: 'ping', id: 'three' })
  expect(await client.waitForFrame('error')).toMatchObject({ re: 'three', code: 'RATE_LIMITED' })
  // If the server parsed it, the error would be MALFORMED_JSON.
  client.sendFrame(`{"type":"ping","id":"four","a":[${'['.repeat(5_000)}`)
  expect(await client.waitForFrame('error', frame => !('re' in frame))).toMatchObject({
    code: 'RATE_LIMITED'
  })
})

test('22 A1: the server checks whether the sender may send a frame of this type before it validates the rest', async () => {
  const { url, session, tokenOf } = await startServed()
  const { token } = await tokenOf(['read'])
  const client = connect(url)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id, token })
  await client.waitForFrame('session_ready')
  const nonsense = { text: 5, content: 5, answer: 5, toolCallId: 5, turnId: 5, clientTools: 'none' }
  for (const type of ['user_message', 'text_input', 'oob', 'answer', 'cancel']) {
    client.sendFrame({ type, id: type, ...nonsense })
    expect(await client.waitForFrame('error', ({ re }) => re === type), type).toMatchObject({
      code: 'FORBIDDEN'
    })
  }
})

test('22 A1: a frame before authentication has at most 4 KiB', async () => {
  const { url, asKey, session } = await startServed()
  const long = connect(url, asKey)
  await long.socketOpen
  long.sendFrame({ type: 'hello', sessionId: session.id, more: 'x'.repeat(5000) })
  expect((await long.closed).code).toBe(1009)
  const known = connect(url, asKey)
  await known.socketOpen
  known.sendFrame({ type: 'hello', sessionId: session.id, more: 'x'.repeat(3000) })
  await known.waitForFrame('session_ready')
  known.sendFrame({ type: 'user_message', id: 'm', text: 'x'.repeat(100_000) })
  await known.waitForFrame('message_accepted')
})

test('22 A1: a client IP has at most 16 sockets without a hello, and a hello or a disconnect frees one', async () => {
  const { url, asKey, session } = await startServed()
  const clients = Array.from({ length: 16 }, () => connect(url, asKey))
  await Promise.all(clients.map(({ socketOpen }) => socketOpen))
  /**
   * Opens one more socket. Returns 101 if it is accepted, otherwise the status of the rejection, or 0 without
   * Retry-After.
   */
  const oneMore = async (): Promise<number> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: asKey })
    onTestFinished(() => socket.terminate())
    return new Promise<number>(resolve => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_, { statusCode, headers }) =>
        resolve(Number(headers['retry-after']) > 0 ? (statusCode ?? 0) : 0)
      )
      socket.on('error', () => undefined)
    })
  }
  expect(await oneMore()).toBe(429)
  const [first, second] = clients
  first?.sendFrame({ type: 'hello', sessionId: session.id })
  await first?.waitForFrame('session_ready')
  expect(await oneMore()).toBe(101)
  expect(await oneMore()).toBe(429)
  second?.socket.close()
  await second?.closed
  await expect.poll(oneMore).toBe(101)
})

test('a socket without a credential, with a wrong one, or with binary frames is closed', async () => {
  const { url, asKey, session } = await startServed()
  for (const headers of [{}, { authorization: 'Bearer way_wrong' }]) {
    const client = connect(url, headers as Record<string, string>)
    await client.socketOpen
    client.sendFrame({ type: 'hello', sessionId: session.id })
    expect(await client.waitForFrame('error')).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect((await client.closed).code).toBe(1008)
  }
  const bytes = connect(url, asKey)
  await bytes.socketOpen
  bytes.socket.send(Buffer.from([1, 2, 3]))
  expect((await bytes.closed).code).toBe(1003)
  const huge = connect(url, asKey)
  await huge.socketOpen
  huge.sendFrame('x'.repeat(3 * 1024 * 1024))
  expect((await huge.closed).code).toBe(1009)
})

test('a session token in the hello grants its scopes, from the origins that its workspace allows', async () => {
  const { url, session, sql, tokenOf } = await startServed()
  const { token } = await tokenOf(['read'])
  const hello = { type: 'hello', sessionId: session.id, token }
  const foreign = connect(url, { origin })
  await foreign.socketOpen
  foreign.sendFrame(hello)
  expect(await foreign.waitForFrame('error')).toMatchObject({ code: 'FOREIGN_ORIGIN' })
  expect((await foreign.closed).code).toBe(1008)
  await sql`update workspaces set allowed_origins = ${[origin]}::jsonb`
  const client = connect(url, { origin })
  await client.socketOpen
  client.sendFrame(hello)
  await client.waitForFrame('session_ready')
  client.sendFrame({ type: 'user_message', text: 'say hi' })
  expect(await client.waitForFrame('error')).toMatchObject({ code: 'FORBIDDEN' })
  const { token: talks } = await tokenOf(['read', 'send'])
  client.sendFrame({ ...hello, token: talks, id: 'again' })
  await client.waitForFrame('session_ready', ({ re }) => re === 'again')
  client.sendFrame({ type: 'user_message', text: 'say hi' })
  expect(await client.waitForFrame('message_accepted')).toMatchObject({ status: 'started' })
})

test('a cookie authenticates sockets of our own pages, but not sockets of other sites', async () => {
  const { url, session, sql, env } = await startServed()
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'operator')`
  const cookie = await signInCookie({ sql, env }, 'ada')
  const ownPage = connect(url, { origin: env.url, cookie })
  await ownPage.socketOpen
  ownPage.sendFrame({ type: 'hello', sessionId: session.id })
  await ownPage.waitForFrame('session_ready')
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const client = connect(url, { ...(headers as Record<string, string>), cookie })
    await client.socketOpen
    client.sendFrame({ type: 'hello', sessionId: session.id })
    expect(await client.waitForFrame('error')).toMatchObject({ code: 'FOREIGN_ORIGIN' })
    expect((await client.closed).code).toBe(1008)
  }
})

test('a socket closes once its token is revoked or its session is deleted', async () => {
  const { url, session, ctx, tokenOf } = await startServed()
  const { token, tokenId } = await tokenOf(['read'])
  const [revoked, deleted] = [connect(url), connect(url)]
  for (const client of [revoked, deleted]) await client.socketOpen
  revoked.sendFrame({ type: 'hello', sessionId: session.id, token })
  await revoked.waitForFrame('session_ready')
  await revokeToken(ctx, { sessionId: session.id, tokenId })
  expect((await revoked.closed).code).toBe(1008)
  const { token: another } = await tokenOf(['read'])
  deleted.sendFrame({ type: 'hello', sessionId: session.id, token: another })
  await deleted.waitForFrame('session_ready')
  await deleteSession(ctx, { sessionId: session.id })
  expect((await deleted.closed).code).toBe(1008)
})

test('a server that stops closes its sockets with code 1012', async () => {
  const { url, asKey, session, stopServer } = await startServed()
  const client = connect(url, asKey)
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id })
  await client.waitForFrame('session_ready')
  await stopServer()
  expect((await client.closed).code).toBe(1012)
})

test('any other upgrade is rejected', async () => {
  const { url } = await startServed()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/sessions`)
  const [error] = await once(socket, 'error')
  expect(String(error)).toContain('404')
})

test('a client that aborts another upgrade does not stop the server', async () => {
  const { url } = await startServed()
  const { hostname, port } = new URL(url)
  const socket = connectTcp(Number(port), hostname)
  socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await once(socket, 'data')
  socket.resetAndDestroy()
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
})

test('an error with text of a stranger closes only that socket', async () => {
  const { url, session, tokenOf } = await startServed()
  const { token } = await tokenOf(['read'])
  const client = connect(url, { origin: `https://${'é'.repeat(200)}` })
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id, token })
  expect(await client.waitForFrame('error')).toMatchObject({ code: 'FOREIGN_ORIGIN' })
  expect(await client.closed).toEqual({ code: 1008, reason: 'FOREIGN_ORIGIN' })
})

test('a user removed from a workspace receives no more of its events, even as a member of another workspace', async () => {
  const { url, session, sql, env } = await startServed({ accessCheckMs: 50 })
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  await sql`
    insert into members (workspace_id, user_id, role, created_at) values
      ('default', 'ada', 'operator', '2026-01-01'), ('other', 'ada', 'owner', '2026-01-02')`
  const cookie = await signInCookie({ sql, env }, 'ada')
  const client = connect(url, { origin: env.url, cookie })
  await client.socketOpen
  client.sendFrame({ type: 'hello', sessionId: session.id })
  await client.waitForFrame('session_ready')
  await sql`delete from members where workspace_id = 'default' and user_id = 'ada'`
  expect((await client.closed).code).toBe(1008)
  expect(client.frames.at(-1)).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' })
})
