import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@waystation/client'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { Snapshot } from '@waystation/protocol/session/event.ts'
import { emptyTranscript } from '@waystation/protocol/session/fold.ts'
import { afterEach, expect, test } from 'vitest'
import { storageIn } from '#components/browser/storage.ts'
import type { SessionState } from './session-state.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'

type Seen = {
  method: string
  path: string
  key: string | undefined
  after: string | undefined
  body: unknown
}
type Handler = (request: Seen, response: ServerResponse, raw: IncomingMessage) => void

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Starts a real HTTP server that records requests and responds with `handle`. */
async function server(handle: Handler): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const http = createServer(async (raw, response) => {
    const text = (await Array.fromAsync(raw)).join('')
    const request = {
      method: raw.method ?? '',
      path: raw.url ?? '',
      key: raw.headers['idempotency-key'] as string | undefined,
      after: raw.headers['last-event-id'] as string | undefined,
      body: text === '' ? undefined : JSON.parse(text)
    }
    seen.push(request)
    handle(request, response, raw)
  })
  // Rejects upgrades, like a proxy that does not support WebSockets.
  http.on('upgrade', (_, socket) => socket.destroy())
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    http.closeAllConnections()
    return new Promise(resolve => http.close(resolve))
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, seen }
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const stream = (response: ServerResponse, ...events: Array<{ seq: number; type: string }>) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': hello\n\n')
  for (const event of events)
    response.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

const call: Call = {
  toolCallId: 'c1',
  toolName: 'web-fetch',
  kind: 'approval',
  where: 'approver',
  input: { url: 'https://example.com' },
  messageId: 'm1',
  turnId: 't1',
  since: '2026-03-12T14:00:00.000Z',
  deadline: '2026-03-19T14:00:00.000Z',
  onDeadline: 'declined',
  state: 'open'
}
const initial: Snapshot = {
  messages: [],
  calls: [call],
  outOfBand: [],
  oobPolicy: emptyTranscript.oobPolicy,
  status: 'parked',
  title: 'A test',
  cursor: 7
}
const at = '2026-03-12T14:01:00.000Z'

const backoff = { first: 20, longest: 20 }
const optionsFor = (url: string) => ({ sessionId: 's1', client: createClient({ url, backoff }), backoff })

function started(
  url: string,
  keep = storageIn(undefined),
  from: Snapshot | undefined = initial
): SessionStore {
  const store = createSessionStore({ ...optionsFor(url), initial: from, keep })
  closers.push(store.start())
  return store
}

/** Resolves with the state as soon as `is` returns true for it. */
function until(store: SessionStore, is: (state: SessionState) => boolean): Promise<SessionState> {
  return new Promise(resolve => {
    const look = () => {
      if (!is(store.getState())) return
      stop()
      resolve(store.getState())
    }
    const stop = store.subscribe(look)
    look()
  })
}

const userMessage = (seq: number, id: string) => ({
  seq,
  at,
  type: 'message',
  message: { id, role: 'user', metadata: { createdAt: at }, parts: [{ type: 'text', text: 'hi' }] }
})

test('after a disconnect, the store continues from its cursor and misses no event', async () => {
  let lines = 0
  const { url, seen } = await server((_, response) => {
    lines += 1
    stream(response, lines === 1 ? userMessage(8, 'a') : userMessage(9, 'b'))
    if (lines === 1) response.end()
  })
  const state = await until(started(url), ({ transcript }) => transcript.messages.length === 2)
  expect(state.transcript.cursor).toBe(9)
  expect(seen.slice(0, 2).map(({ after }) => after)).toEqual(['7', '8'])
})

test('an event that is received twice is shown once', async () => {
  const { url } = await server((_, response) =>
    stream(
      response,
      userMessage(8, 'a'),
      userMessage(8, 'a'),
      { ...userMessage(8, 'c') },
      userMessage(9, 'b')
    )
  )
  const { transcript } = await until(started(url), ({ transcript }) => transcript.cursor === 9)
  expect(transcript.messages.map(({ message }) => message.id)).toEqual(['a', 'b'])
})

test('a reset replaces the shown messages, and events continue from its cursor', async () => {
  let lines = 0
  const { url, seen } = await server((_, response) => {
    lines += 1
    if (lines > 1) return stream(response)
    stream(response, {
      seq: 40,
      at,
      type: 'reset',
      messages: [],
      calls: [],
      status: 'idle',
      title: 'Anew',
      cursor: 40
    } as never)
    response.end()
  })
  const store = started(url)
  const { transcript } = await until(store, ({ transcript }) => transcript.title === 'Anew')
  expect(transcript.calls).toEqual({})
  await until(store, () => seen.length > 1)
  expect(seen[1]?.after).toBe('40')
})

test('004-2: an out-of-band message is retried with its key and does not wait for an unsent message', async () => {
  let tells = 0
  const { url, seen } = await server((request, response, raw) => {
    if (request.method === 'GET') return stream(response)
    if (!request.path.endsWith('/oob')) return json(response, 503, { error: 'Down.', code: 'UNAVAILABLE' })
    tells += 1
    if (tells === 1) return raw.socket.destroy()
    json(response, 202, { id: 'oob_1', status: 'visible', queuePosition: 1 })
  })
  const keep = storageIn(undefined)
  const store = started(url, keep)
  store.send('hello')
  store.sendOutOfBand('API docs only.', { priority: 'high', action: 'redirect', relatedTo: 'm1' })
  expect(keep.keys('send:s1:')).toHaveLength(2)
  const { pending } = await until(store, state => state.pending.sends.some(send => send.state === 'accepted'))
  expect(pending.sends.map(({ state, messageId }) => [state, messageId])).toEqual([
    [expect.stringMatching(/sending|unsent/), undefined],
    ['accepted', 'oob_1']
  ])
  const requests = seen.filter(({ path }) => path.endsWith('/oob'))
  expect(requests).toHaveLength(2)
  expect(requests[1]?.key).toBe(requests[0]?.key)
  expect(requests[1]?.body).toMatchObject({
    content: 'API docs only.',
    priority: 'high',
    metadata: { action: 'redirect', relatedTo: 'm1' }
  })
})

test('an out-of-band message above a limit is refused instead of retried, and its text stays', async () => {
  const { url, seen } = await server((request, response) => {
    if (request.method === 'GET') return stream(response)
    json(response, 429, { error: 'Too many messages.', code: 'RATE_LIMITED', retryAfter: 1 })
  })
  const keep = storageIn(undefined)
  const store = started(url, keep)
  store.sendOutOfBand('API docs only.', { priority: 'normal' })
  const { pending } = await until(store, ({ pending }) => pending.sends[0]?.state === 'refused')
  expect(pending.sends[0]).toMatchObject({ text: 'API docs only.', refusal: { code: 'RATE_LIMITED' } })
  expect(keep.keys('send:s1:')).toHaveLength(1)
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a message whose response was lost is retried with the same key until the server accepts it', async () => {
  let posts = 0
  const { url, seen } = await server((request, response, raw) => {
    if (request.method === 'GET') return stream(response)
    posts += 1
    if (posts === 1) return raw.socket.destroy()
    if (posts === 2) return json(response, 503, { error: 'Down.', code: 'UNAVAILABLE' })
    json(response, 202, { itemId: 'i1', messageId: 'm9', status: 'started' })
  })
  const store = started(url)
  store.send('hello')
  const { pending } = await until(store, ({ pending }) => pending.sends[0]?.state === 'accepted')
  const keys = seen.filter(({ method }) => method === 'POST').map(({ key }) => key)
  expect(keys).toHaveLength(3)
  expect(new Set(keys)).toEqual(new Set([pending.sends[0]?.key]))
})

test('messages are sent one at a time, in the order in which they were written', async () => {
  const { url, seen } = await server((request, response) => {
    if (request.method === 'GET') return stream(response)
    json(response, 202, {
      itemId: 'i',
      messageId: `m-${(request.body as { text: string }).text}`,
      status: 'queued'
    })
  })
  const store = started(url)
  for (const text of ['one', 'two', 'three']) store.send(text)
  await until(
    store,
    ({ pending }) => pending.sends.every(send => send.state === 'accepted') && pending.sends.length === 3
  )
  expect(
    seen.filter(({ method }) => method === 'POST').map(({ body }) => (body as { text: string }).text)
  ).toEqual(['one', 'two', 'three'])
})

test('messages that were unsent when the page closed are sent by the next page with the same key', async () => {
  const keep = storageIn(undefined)
  const down = await server((request, response) =>
    request.method === 'GET' ? stream(response) : json(response, 503, { error: 'Down.', code: 'UNAVAILABLE' })
  )
  const first = createSessionStore({ ...optionsFor(down.url), initial, keep })
  const close = first.start()
  first.send('kept')
  first.answer('c1', { approved: true })
  await until(
    first,
    ({ pending }) => pending.sends[0]?.state === 'unsent' && pending.answers.c1?.state === 'unsent'
  )
  close()
  const up = await server((request, response) => {
    if (request.method === 'GET') return stream(response)
    if (request.path.endsWith('/answer')) return json(response, 200, { toolCallId: 'c1', state: 'approved' })
    json(response, 202, { itemId: 'i1', messageId: 'm9', status: 'started' })
  })
  const second = started(up.url, keep)
  await until(
    second,
    ({ pending }) => pending.sends[0]?.state === 'accepted' && pending.answers.c1?.state === 'accepted'
  )
  expect(up.seen.find(({ path }) => path.endsWith('/messages'))?.key).toBe(
    down.seen.find(({ path }) => path.endsWith('/messages'))?.key
  )
  expect(up.seen.find(({ path }) => path.endsWith('/answer'))?.body).toEqual({ approved: true })
  expect(keep.keys('send:').concat(keep.keys('answer:'))).toEqual([])
})

test('a message and an answer that the log shows before the response arrives are not shown twice', async () => {
  let line: ServerResponse | undefined
  const waiting: ServerResponse[] = []
  const { url } = await server((request, response) => {
    if (request.method !== 'GET') return void waiting.push(response)
    stream(response)
    line = response
  })
  const store = started(url)
  await until(store, ({ connection }) => connection === 'live')
  store.send('hello')
  store.answer('c1', { approved: true })
  await expect.poll(() => waiting.length).toBe(2)
  const tell = (event: { seq: number; type: string }) =>
    line?.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const message = {
    id: 'm9',
    role: 'user',
    parts: [{ type: 'text', text: 'hello' }],
    metadata: { createdAt: at }
  }
  tell({ seq: 8, type: 'message', at, messageId: 'm9', message } as never)
  // The same call now waits for something else.
  tell({ seq: 9, type: 'call', at, call: { ...call, since: at } } as never)
  await until(
    store,
    ({ transcript }) => transcript.calls.c1?.since === at && transcript.messages.length === 1
  )
  for (const response of waiting)
    json(response, 202, {
      itemId: 'i1',
      messageId: 'm9',
      status: 'started',
      toolCallId: 'c1',
      state: 'approved'
    })
  await until(store, ({ pending }) => pending.sends.length === 0 && pending.answers.c1 === undefined)
})

test('001-21: attachments: a message that is unsent when the page closes keeps its files, and the next page sends them', async () => {
  const keep = storageIn(undefined)
  const file = {
    id: 'file_1',
    name: 'cat.png',
    mediaType: 'image/png',
    size: 9,
    url: '/api/sessions/s1/files/file_1'
  }
  const down = await server((request, response) =>
    request.method === 'GET' ? stream(response) : json(response, 503, { error: 'Down.', code: 'UNAVAILABLE' })
  )
  const first = createSessionStore({ ...optionsFor(down.url), initial, keep })
  const close = first.start()
  first.send('Look', 'queue', { files: [file] })
  await until(first, ({ pending }) => pending.sends[0]?.state === 'unsent')
  close()
  const up = await server((request, response) => {
    if (request.method === 'GET') return stream(response)
    json(response, 202, { itemId: 'i1', messageId: 'm9', status: 'started' })
  })
  const second = started(up.url, keep)
  expect(second.getState().pending.sends[0]?.files).toEqual([file])
  await until(second, ({ pending }) => pending.sends[0]?.state === 'accepted')
  expect(up.seen.find(({ path }) => path.endsWith('/messages'))?.body).toMatchObject({
    text: 'Look',
    files: ['file_1']
  })
})

test('a message is no longer pending once the log shows it', async () => {
  let line: ServerResponse | undefined
  const { url } = await server((request, response) => {
    if (request.method === 'GET') {
      line = response
      return stream(response)
    }
    json(response, 202, { itemId: 'i1', messageId: 'm9', status: 'started' })
  })
  const store = started(url)
  store.send('hello')
  await until(
    store,
    ({ pending, connection }) => pending.sends[0]?.state === 'accepted' && connection === 'live'
  )
  line?.write(`id: 8\nevent: message\ndata: ${JSON.stringify(userMessage(8, 'm9'))}\n\n`)
  const { pending } = await until(store, ({ pending }) => pending.sends.length === 0)
  expect(pending.sends).toEqual([])
})

test('a late answer shows who answered first, and is not retried', async () => {
  const winner = { state: 'approved', answeredBy: 'Ben', at }
  const { url, seen } = await server((request, response) =>
    request.method === 'GET'
      ? stream(response)
      : json(response, 409, { error: 'Settled.', code: 'ALREADY_SETTLED', winner })
  )
  const store = started(url)
  store.answer('c1', { approved: false })
  const { late } = await until(store, ({ late }) => late.c1 !== undefined)
  expect(late.c1).toEqual(winner)
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a rejected answer stays with its call, together with the error', async () => {
  const refusal = { error: 'The answer does not fit.', code: 'INVALID_INPUT', fields: { url: 'not a URL' } }
  const { url } = await server((request, response) =>
    request.method === 'GET' ? stream(response) : json(response, 422, refusal)
  )
  const store = started(url)
  store.answer('c1', { approved: true, input: { url: 3 } })
  const { pending } = await until(store, ({ pending }) => pending.answers.c1?.state === 'refused')
  expect(pending.answers.c1?.refusal).toMatchObject({
    code: 'INVALID_INPUT',
    message: refusal.error,
    fields: refusal.fields
  })
})

test('a deleted session is shown as deleted, and is not requested again', async () => {
  const { url, seen } = await server((_, response) =>
    json(response, 404, { error: 'No such session.', code: 'NOT_FOUND' })
  )
  const { gone } = await until(started(url), ({ gone }) => gone !== undefined)
  expect(gone?.code).toBe('NOT_FOUND')
  expect(seen).toHaveLength(1)
})

test('earlier messages are inserted at the top with their calls, and later events still update them', async () => {
  const message = (id: string) => ({ id, role: 'user' as const, metadata: { createdAt: at }, parts: [] })
  let line: ServerResponse | undefined
  const earlierCall = { ...call, toolCallId: 'c0', messageId: 'e1' }
  const { url } = await server((request, response) => {
    if (request.path.includes('before=n0'))
      return json(response, 200, { messages: [message('e1')], calls: [earlierCall] })
    line = response
    stream(response)
  })
  const window = { ...initial, messages: Array.from({ length: 50 }, (_, index) => message(`n${index}`)) }
  const store = started(url, storageIn(undefined), window)
  expect(store.getState().earlier).toBe('more')
  await store.loadEarlier()
  expect(store.getState().transcript.messages[0]?.message.id).toBe('e1')
  expect(store.getState().earlier).toBe('none')
  await until(store, ({ connection }) => connection === 'live')
  const settled = { seq: 8, at, type: 'call', call: { ...earlierCall, state: 'approved', settledAt: at } }
  line?.write(`id: 8\nevent: call\ndata: ${JSON.stringify(settled)}\n\n`)
  await until(store, ({ transcript }) => transcript.calls.c0?.state === 'approved')
})

/** The bodies of the answers that the server received. */
const answersIn = (seen: readonly Seen[]) =>
  seen.flatMap(({ path, body }) => (path.endsWith('/answer') ? [body] : []))

test('a held answer is sent before the next action, and one that was undone is not sent', async () => {
  const { url, seen } = await server((request, response) =>
    request.method === 'GET' ? stream(response) : json(response, 202, { messageId: 'm2', state: 'answered' })
  )
  const keep = storageIn(undefined)
  const store = started(url, keep)
  store.answer('c1', { output: { answer: 'tea' } }, 60_000)
  expect(store.getState().pending.answers.c1?.state).toBe('held')
  store.undoAnswer('c1')
  expect(keep.keys('answer:s1:')).toEqual([])
  store.answer('c1', { output: { answer: 'coffee' } }, 60_000)
  store.send('hello')
  await until(store, ({ pending }) => pending.sends[0]?.state === 'accepted')
  await until(store, ({ pending }) => pending.answers.c1?.state !== 'sending')
  expect(answersIn(seen)).toEqual([{ output: { answer: 'coffee' } }])
})

test('a held answer is sent after its time, and after a reload', async () => {
  const { url, seen } = await server((request, response) =>
    request.method === 'GET' ? stream(response) : json(response, 200, { toolCallId: 'c1', state: 'answered' })
  )
  const store = started(url)
  store.answer('c1', { output: { answer: 'tea' } }, 1)
  await until(store, ({ pending }) => pending.answers.c1?.state === 'accepted')
  expect(answersIn(seen)).toEqual([{ output: { answer: 'tea' } }])

  const keep = storageIn(undefined)
  const notBefore = new Date(Date.now() + 60_000).toISOString()
  keep.set('answer:s1:c1', {
    toolCallId: 'c1',
    answer: { output: { answer: 'coffee' } },
    at,
    notBefore,
    state: 'held'
  })
  await until(started(url, keep), ({ pending }) => pending.answers.c1?.state === 'accepted')
  expect(answersIn(seen).at(-1)).toEqual({ output: { answer: 'coffee' } })
})
