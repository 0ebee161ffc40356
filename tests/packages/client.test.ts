import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { revokeToken } from '#lib/auth/tokens/revoke-token.ts'
import {
  type ClientOptions,
  createClient,
  type SessionEvent,
  type WaystationClient,
  WaystationError
} from '#packages/client/src/index.ts'
import { png } from '#tests/support/browser/png.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'
import { startCuttableProxy } from './cuttable-proxy.ts'

const apiKey = 'the-admin-key-of-every-test'
/** Retries at once. The backoff has its own test. */
const backoff = { first: 1, longest: 1 }
const clientOf = (options: ClientOptions): WaystationClient => createClient({ backoff, ...options })

/** Returns a session of this server, and a function that creates tokens for it as `ada`. */
async function openFor(
  server: TestServer,
  scopes: ('read' | 'send' | 'answer')[] = ['read', 'send', 'answer']
) {
  const session = await server.startSession()
  const token = () =>
    createToken(server.ctx, { sessionId: session.id, subject: 'ada', scopes, ttlSeconds: 3600 })
  return { session, token }
}

/** Reads events up to the first one that fits. Returns all of them. */
async function readUntil(events: AsyncIterable<SessionEvent>, matches: (event: SessionEvent) => boolean) {
  const seen: SessionEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (matches(event)) break
  }
  return seen
}

const isEnd = (event: SessionEvent) => event.type === 'status' && event.outcome !== undefined
const errorOf = (promise: Promise<unknown>): Promise<WaystationError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused')),
    error => error
  )

test('001-21: attachments: a file is uploaded only once although its response was lost, and can be sent in a message', async () => {
  const server = await startTestServer()
  const { session, token } = await openFor(server)
  let attempts = 0
  const fetchLosingFirst: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init)
    if (attempts++ === 0) throw new TypeError('The line broke.')
    return reply
  }
  const client = clientOf({
    url: await serveApi(),
    token: async () => (await token()).token,
    fetch: fetchLosingFirst
  })
  const bytes = png(30, 20)
  const mine = client.session(session.id)
  const file = await mine.files.upload(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), {
    name: 'a.png'
  })
  expect(attempts).toBe(2)
  expect(file).toMatchObject({ name: 'a.png', mediaType: 'image/png', size: bytes.length })
  expect(await server.sql`select id from files`).toEqual([{ id: file.id }])
  await mine.send('', { files: [file.id] })
  await readUntil(mine.events({ after: 0 }), isEnd)
  expect(await session.agentTexts()).toEqual([expect.stringContaining('30×20')])
  const downloaded = await mine.files.download(file.id)
  expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true)
})

test('the client can create, change and restore agents', async () => {
  await startTestServer()
  const { agents } = clientOf({ url: await serveApi(), apiKey })
  const chat = { type: 'chat' as const, chat: { instructions: 'Be brief.' } }
  const made = await agents.create({ agentId: 'clerk', displayName: 'Clerk', ...chat })
  expect(made).toMatchObject({ agentId: 'clerk', revision: 1 })
  const changed = { displayName: 'Clerk', type: 'chat' as const, chat: { instructions: 'Be kind.' } }
  expect(await agents.update('clerk', { agentId: 'clerk', revision: 1, ...changed })).toMatchObject({
    revision: 2
  })
  expect(await agents.restore('clerk', 1, { base: 2 })).toMatchObject({ revision: 3 })
  expect((await agents.revisions('clerk')).revisions.map(({ revision }) => revision)).toEqual([3, 2, 1])
  expect((await agents.list()).agents.map(({ agentId }) => agentId)).toContain('clerk')
  expect(await errorOf(agents.get('missing'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('the client can create and revoke session tokens, and webhooks with their secrets', async () => {
  await startTestServer()
  const client = clientOf({ url: await serveApi(), apiKey })
  await client.sessions.create({ agentId: 'guide', sessionId: 'talk' })
  const { tokens } = client.session('talk')
  const { token, tokenId } = await tokens.create({ subject: 'ada', scopes: ['read'] })
  expect(await clientOf({ url: client.url, token }).session('talk').get()).toMatchObject({ status: 'idle' })
  expect((await tokens.list()).tokens).toMatchObject([{ tokenId, subject: 'ada' }])
  await tokens.revoke(tokenId)
  expect((await tokens.list()).tokens).toEqual([])

  const { webhooks } = client
  const { webhook, secret } = await webhooks.create({ url: 'https://hooks.example/waystation' })
  expect(secret).toMatch(/^whsec_/)
  const { secret: next } = await webhooks.rotateSecret(webhook.webhookId)
  expect(next).not.toBe(secret)
  expect((await webhooks.list()).webhooks).toEqual([webhook])
  await webhooks.delete(webhook.webhookId)
  expect((await webhooks.list()).webhooks).toEqual([])
  expect((await client.connections.list()).connections).toEqual([])
})

test('the client can create a session, send messages, answer, list and delete', async () => {
  await startTestServer()
  const client = clientOf({ url: `${await serveApi()}/`, apiKey })
  const { sessionId, created } = await client.sessions.create({ agentId: 'guide', sessionId: 'talk' })
  expect({ sessionId, created }).toEqual({ sessionId: 'talk', created: true })
  const session = client.session(sessionId)

  expect(await session.send(demo.askToChoose('tea', 'coffee'))).toMatchObject({ status: 'started' })
  const seen = await readUntil(session.events({ after: 0 }), isEnd)
  expect(seen.at(-1)).toMatchObject({ outcome: 'parked' })
  const { calls } = await client.waiting()
  expect(calls).toMatchObject([{ sessionId, kind: 'question', state: 'open' }])

  const toolCallId = calls[0]!.toolCallId
  const { deadline } = await session.calls.extend(toolCallId, { seconds: 86_400 })
  expect(Date.parse(deadline)).toBeGreaterThan(Date.now())
  const answer = { output: { answer: 'tea' } }
  expect(await session.calls.answer(toolCallId, answer)).toEqual({ toolCallId, state: 'answered' })
  expect(await session.calls.answer(toolCallId, answer)).toEqual({ toolCallId, state: 'answered' })
  await readUntil(session.events({ after: (await session.get()).cursor - 1 }), isEnd)
  expect((await session.get()).calls).toMatchObject([{ output: { answer: 'tea' } }])

  expect(await session.cancel()).toEqual({ turnId: null })
  expect((await client.sessions.list({ agentId: 'guide' })).sessions.map(({ id }) => id)).toContain('talk')
  expect(
    (await client.call('getAgentRevision', { path: { agentId: 'guide', revision: 1 } })).config
  ).toMatchObject({ agentId: 'guide' })
  expect(await client.sessions.delete(sessionId)).toEqual({ sessionId })
  expect(await errorOf(session.get())).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('`call` sends the path, query and body of any operation, and files in both directions', async () => {
  await startTestServer()
  const client = clientOf({ url: await serveApi(), apiKey })
  expect(await client.call('createWiki', { body: { name: 'notes' } })).toMatchObject({ name: 'notes' })
  const path = { wiki: 'notes' }
  const imported = await client.call('importWiki', {
    path,
    query: { file: 'notes.json' },
    headers: { 'content-type': 'text/plain' },
    body: new Blob([JSON.stringify([{ title: 'Tea & coffee', text: 'Both.' }])])
  })
  expect(imported).toMatchObject({ imported: 1 })
  const { tiddlers } = await client.call('listTiddlers', { path, query: { search: 'Tea &', tag: undefined } })
  expect(tiddlers).toMatchObject([{ title: 'Tea & coffee' }])
  const exported = await client.call('exportWiki', { path, query: { format: 'json' } })
  expect(JSON.parse(await exported.text())).toMatchObject([{ title: 'Tea & coffee' }])
  expect(client.href('exportWiki', { path: { wiki: 'a/b' }, query: { format: 'json' } })).toBe(
    `${client.url}/api/wikis/a%2Fb/export?format=json`
  )
})

test('a request without a response ends after `timeout`, but an upload can take longer', async () => {
  const uploads: ServerResponse[] = []
  const server = await startExternalSystem((response, { method }) => {
    if (method === 'POST') uploads.push(response)
  })
  let attempts = 0
  const counted: typeof fetch = (input, init) => {
    attempts++
    return fetch(input, init)
  }
  const client = clientOf({ url: server.url, apiKey, timeout: 100, fetch: counted })
  const upload = client.session('slow').files.upload(new Blob(['a']), { name: 'a.txt' })
  expect(await errorOf(client.waiting())).toMatchObject({ code: 'UNREACHABLE', temporary: true })
  expect(attempts).toBe(1 + 4)
  expect(await errorOf(client.with({ tries: 1 }).waiting())).toMatchObject({ status: 0 })
  expect(attempts).toBe(1 + 4 + 1)
  await expect.poll(() => uploads.length).toBe(1)
  for (const response of uploads) response.end('{"id":"file_1"}')
  expect(await upload).toEqual({ id: 'file_1' })
})

test('an error response becomes a WaystationError with status, code, message, fields and the winner', async () => {
  const server = await startTestServer()
  const url = await serveApi()
  const { session: opened, token } = await openFor(server)
  const client = clientOf({ url, apiKey })
  const session = client.session(opened.id)

  const unknownAgent = await errorOf(client.sessions.create({ agentId: 'nobody' }))
  expect(unknownAgent).toBeInstanceOf(WaystationError)
  expect(unknownAgent).toMatchObject({ name: 'WaystationError', status: 400, code: 'AGENT_NOT_FOUND' })
  expect(unknownAgent.message).toMatch(/\.$/)
  expect(await errorOf(session.send('  '))).toMatchObject({ status: 400, code: 'EMPTY_MESSAGE' })
  const invalid = await errorOf(session.send('hi', { whenBusy: 'sometimes' as 'queue' }))
  expect(invalid).toMatchObject({
    status: 422,
    code: 'INVALID_INPUT',
    fields: { whenBusy: expect.any(String) }
  })

  await session.send(demo.askWhether('to go on'))
  const call = await opened.waitForCall('ask-question')
  await session.calls.answer(call.toolCallId, { output: { answer: 'yes' } })
  expect(await errorOf(session.calls.answer(call.toolCallId, { output: { answer: 'no' } }))).toMatchObject({
    status: 409,
    code: 'ALREADY_SETTLED',
    winner: { state: 'answered' }
  })

  const ada = clientOf({ url, token: (await token()).token })
  expect(ada.credential).toBe('token')
  expect(await errorOf(ada.waiting())).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect(() => createClient({ url, apiKey, token: 'both' })).toThrow(TypeError)
})

test('a token can do only what its scopes allow, and other requests get an error', async () => {
  const server = await startTestServer()
  const url = await serveApi()
  const { session: opened, token } = await openFor(server, ['read'])
  await opened.send(demo.askWhether('to go on'))
  const call = await opened.waitForCall('ask-question')
  const session = clientOf({ url, token: (await token()).token }).session(opened.id)
  expect((await session.get()).session.waitingFor).toMatchObject([{ toolCallId: call.toolCallId }])
  const requests = [
    session.calls.answer(call.toolCallId, { output: { answer: 'yes' } }),
    session.calls.cancel(call.toolCallId),
    session.calls.extend(call.toolCallId, { seconds: 60 }),
    session.send('hello'),
    session.cancel({ calls: true })
  ]
  for (const error of await Promise.all(requests.map(errorOf)))
    expect(error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('a message whose response was lost is sent again with its key, and is stored once', async () => {
  const server = await startTestServer()
  const { session: opened } = await openFor(server)
  const line = await startCuttableProxy(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(2)
  const ended = opened.waitForEnd()
  const receipt = await session.send('say hello')
  expect(line.connections()).toBe(3)
  await ended
  const { messages } = await session.get()
  expect(messages.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual([receipt.messageId])
})

test('004-10: the client can send, list, remove and approve out-of-band messages', async () => {
  const server = await startTestServer()
  const { session: opened, token } = await openFor(server)
  const url = await serveApi()
  const session = clientOf({ url, apiKey }).session(opened.id)
  const { id, ...receipt } = await session.tell('Build 7 is red.', {
    priority: 'high',
    sourceId: 'ci',
    metadata: { relatedTo: 'pr-7' }
  })
  expect(receipt).toEqual({ status: 'visible', queuePosition: 1 })
  expect((await session.outOfBand.list()).messages).toMatchObject([
    { id, sourceId: 'ci', priority: 'high', status: 'visible', metadata: { relatedTo: 'pr-7' } }
  ])
  expect(await session.outOfBand.remove(id)).toEqual({ id })
  expect(await session.outOfBand.remove(id)).toEqual({ id })

  expect(await session.outOfBand.setPolicy({ mode: 'approve' })).toMatchObject({
    mode: 'approve',
    minPriority: 'low',
    muted: [],
    from: { mode: 'session', minPriority: 'default', muted: 'default' }
  })
  expect(await session.outOfBand.policy()).toMatchObject({ mode: 'approve', inherited: { mode: 'on' } })
  const heldMessage = await session.tell('Build 8 is red.', { sourceId: 'ci' })
  expect(heldMessage.status).toBe('held')
  expect(await session.outOfBand.approve(heldMessage.id)).toMatchObject({
    id: heldMessage.id,
    status: 'visible'
  })
  await session.outOfBand.setPolicy({ muted: [{ source: 'external', sourceId: 'ci' }] })
  expect(await errorOf(session.tell('Build 9 is red.', { sourceId: 'ci' }))).toMatchObject({
    status: 403,
    code: 'FORBIDDEN'
  })

  const ada = clientOf({ url, token: (await token()).token }).session(opened.id)
  const adasMessage = await ada.tell('I mean the docs only.')
  expect((await ada.outOfBand.list()).messages[0]).toMatchObject({
    id: adasMessage.id,
    source: 'user',
    sourceId: 'ada'
  })
  expect(await errorOf(ada.outOfBand.approve(heldMessage.id))).toMatchObject({
    status: 403,
    code: 'FORBIDDEN'
  })
  expect(await errorOf(ada.outOfBand.setPolicy({ mode: 'off' }))).toMatchObject({ status: 403 })
  const { edges } = await clientOf({ url, apiKey }).call('listOobEdges', { query: { hours: 24 } })
  expect(edges.map(({ from, count }) => [from.sourceId, count])).toEqual([
    ['ada', 1],
    ['ci', 2]
  ])
})

test('an out-of-band message whose response was lost is sent again with its key, and is stored once', async () => {
  const server = await startTestServer()
  const { session: opened } = await openFor(server)
  const line = await startCuttableProxy(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(2)
  const { id } = await session.tell('Build 7 is red.')
  expect(line.connections()).toBe(3)
  expect((await session.outOfBand.list()).messages.map(message => message.id)).toEqual([id])
})

test('a request that must not run twice is sent once, and a lost response is an error with status 0', async () => {
  const server = await startTestServer()
  const { session: opened } = await openFor(server)
  const line = await startCuttableProxy(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(1)
  expect(await errorOf(session.cancel())).toMatchObject({ status: 0, code: 'UNREACHABLE' })
  expect(line.connections()).toBe(1)
})

test('a busy server gets a retry after the time that it names, and a final error is not retried', async () => {
  const busy = (status: number, seconds: string) => (index: number) =>
    index < 2 ? ([status, { 'retry-after': seconds }] as const) : ([200, {}] as const)
  const request = async (answer: (index: number) => readonly [number, Record<string, string>]) => {
    const server = await startExternalSystem((response, _, index) => {
      const [status, headers] = answer(index)
      const seconds = headers['retry-after']
      const later = seconds === undefined ? {} : { retryAfter: Number(seconds) }
      const errorBody = { error: 'Too many.', code: 'RATE_LIMITED', ...later }
      response.writeHead(status, headers).end(JSON.stringify(status === 200 ? { calls: [] } : errorBody))
    })
    return { server, answered: clientOf({ url: server.url, apiKey }).waiting() }
  }
  const afterBusy = await request(busy(503, '0'))
  expect(await afterBusy.answered).toEqual({ calls: [] })
  expect(afterBusy.server.requests.length).toBe(3)
  const afterLimit = await request(busy(429, '30'))
  expect(await errorOf(afterLimit.answered)).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    retryAfter: 30
  })
  expect(afterLimit.server.requests.length).toBe(1)
  const unavailable = await request(() => [502, {}])
  expect(await errorOf(unavailable.answered)).toMatchObject({ status: 502 })
  expect(unavailable.server.requests.length).toBe(4)
})

test('after a lost connection, events continue by Last-Event-ID, each once and none missing', async () => {
  const server = await startTestServer()
  const { session: opened } = await openFor(server)
  const line = await startCuttableProxy(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  await session.send('count to 80')
  const seen: SessionEvent[] = []
  for await (const event of session.events({ after: 0 })) {
    seen.push(event)
    if (seen.length % 2 === 0) line.cut()
    if (isEnd(event)) break
  }
  expect(line.connections()).toBeGreaterThan(3)
  const seqs = seen.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
})

test('a silent stream is replaced by a new connection', async () => {
  const server = await startExternalSystem((response, _, index) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (index === 0) return void response.write('retry: 1\n\n')
    response.write(`id: 7\ndata: ${JSON.stringify({ type: 'session', title: 'there', seq: 7 })}\n\n`)
  })
  const session = clientOf({ url: server.url, apiKey, silence: 200 }).session('quiet')
  for await (const event of session.events({ after: 6 })) {
    expect(event).toMatchObject({ title: 'there' })
    break
  }
  expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual(['6', '6'])
})

test('a reader whose position in the log was deleted receives a `reset`, and continues from there', async () => {
  const server = await startTestServer()
  const { session: opened } = await openFor(server)
  const line = await startCuttableProxy(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  await opened.runTurn('say hello')
  const { cursor } = await session.get()
  const kinds: string[] = []
  for await (const event of session.events({ after: 1_000_000 })) {
    kinds.push(event.type)
    if (event.type === 'reset') {
      expect(event.cursor).toBe(cursor)
      expect(event.messages.length).toBe(2)
      line.cut()
      await opened.send('say bye')
    }
    if (isEnd(event)) break
  }
  expect(kinds.filter(kind => kind === 'reset')).toEqual(['reset'])
  expect(kinds.at(-1)).toBe('status')
})

test('events end with the error if the reader loses access, and without an error if the reader stops', async () => {
  const server = await startTestServer()
  const url = await serveApi()
  const { session: opened, token } = await openFor(server)
  const { token: secret, tokenId } = await token()
  const session = clientOf({ url, token: secret }).session(opened.id)
  await expect(
    readUntil(clientOf({ url, apiKey }).session('nowhere').events(), () => false)
  ).rejects.toMatchObject({
    status: 404
  })
  await expect(
    readUntil(
      session.events(),
      onReset(() => revokeToken(server.ctx, { sessionId: opened.id, tokenId }))
    )
  ).rejects.toMatchObject({
    status: 401,
    code: 'UNAUTHENTICATED'
  })
  const stop = new AbortController()
  const events = await readUntil(
    clientOf({ url, apiKey }).session(opened.id).events({ signal: stop.signal }),
    onReset(() => stop.abort())
  )
  expect(events.map(({ type }) => type)).toEqual(['reset'])
})

/** Runs `act` at a reset and reads on. */
const onReset = (action: () => unknown) => (event: SessionEvent) => {
  if (event.type === 'reset') void action()
  return false
}

test('an expired token is renewed once for all failed requests, without an error', async () => {
  const server = await startTestServer()
  const { session: opened, token } = await openFor(server)
  let renewals = 0
  const client = clientOf({
    url: await serveApi(),
    token: async () => {
      renewals++
      return (await token()).token
    }
  })
  const session = client.session(opened.id)
  await Promise.all([session.get(), session.get()])
  expect(renewals).toBe(1)
  await server.sql`update session_tokens set expires_at = clock_timestamp()`
  const ended = opened.waitForEnd()
  const [receipt] = await Promise.all([session.send('say hello'), session.get(), session.get()])
  expect(receipt.status).toBe('started')
  expect(renewals).toBe(2)

  await ended
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: string[] = []
  for await (const event of session.events({ signal: stop.signal })) {
    seen.push(event.type)
    if (event.type === 'reset') {
      await server.sql`update session_tokens set expires_at = clock_timestamp()`
      await opened.send('count to 200')
    }
    if (renewals === 3) break
  }
  expect(seen[0]).toBe('reset')
})

test('if a token cannot be renewed, the next request tries again', async () => {
  const server = await startTestServer()
  const { session: opened, token } = await openFor(server)
  let isDown = true
  const client = clientOf({
    url: await serveApi(),
    token: async () => {
      if (isDown) throw new Error('Our own server is down')
      return (await token()).token
    }
  })
  expect(await errorOf(client.session(opened.id).get())).toMatchObject({ code: 'UNREACHABLE' })
  isDown = false
  expect((await client.session(opened.id).get()).session.id).toBe(opened.id)
})
