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
import { png } from '#tests/support/browser/pictures.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { type TestWorld, testWorld } from '#tests/support/worlds/world.ts'
import { lineTo } from './line.ts'

const apiKey = 'the-admin-key-of-every-test'
/** Tries again at once: the waits themselves are the backoff's own test. */
const backoff = { first: 1, longest: 1 }
const clientOf = (options: ClientOptions): WaystationClient => createClient({ backoff, ...options })

/** A session of this world, and somebody who is let into it as `ada`. */
async function letIn(world: TestWorld, scopes: ('read' | 'send' | 'answer')[] = ['read', 'send', 'answer']) {
  const session = await world.session()
  const token = () =>
    createToken(world.ctx, { sessionId: session.id, subject: 'ada', scopes, ttlSeconds: 3600 })
  return { session, token }
}

/** Reads until an event fits, and leaves; all that came. */
async function readUntil(events: AsyncIterable<SessionEvent>, fits: (event: SessionEvent) => boolean) {
  const seen: SessionEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (fits(event)) break
  }
  return seen
}

const isEnd = (event: SessionEvent) => event.type === 'status' && event.outcome !== undefined
const refusalOf = (promise: Promise<unknown>): Promise<WaystationError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused')),
    error => error
  )

test('001-21: attachments: a file is uploaded once, though its answer was lost, and sent in a message', async () => {
  const world = await testWorld()
  const { session, token } = await letIn(world)
  let lost = 0
  const losing: typeof fetch = async (input, init) => {
    const reply = await fetch(input, init)
    if (lost++ === 0) throw new TypeError('The line broke.')
    return reply
  }
  const client = clientOf({ url: await serveApi(), token: async () => (await token()).token, fetch: losing })
  const bytes = png(30, 20)
  const mine = client.session(session.id)
  const file = await mine.upload(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), { name: 'a.png' })
  expect(lost).toBe(2)
  expect(file).toMatchObject({ name: 'a.png', mediaType: 'image/png', size: bytes.length })
  expect(await world.sql`select id from files`).toEqual([{ id: file.id }])
  await mine.send('', { files: [file.id] })
  await readUntil(mine.events({ after: 0 }), isEnd)
  expect(await session.said()).toEqual([expect.stringContaining('30×20')])
  const read = await client.fetch(`${client.url}${file.url}`)
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)
})

test('a session is created, talked to, asked, answered, listed and deleted through the client', async () => {
  await testWorld()
  const client = clientOf({ url: `${await serveApi()}/`, apiKey })
  const { sessionId, created } = await client.sessions.create({ agentId: 'guide', sessionId: 'talk' })
  expect({ sessionId, created }).toEqual({ sessionId: 'talk', created: true })
  const session = client.session(sessionId)

  expect(await session.send(demo.asks('tea', 'coffee'))).toMatchObject({ status: 'started' })
  const seen = await readUntil(session.events({ after: 0 }), isEnd)
  expect(seen.at(-1)).toMatchObject({ outcome: 'parked' })
  const { calls } = await client.waiting()
  expect(calls).toMatchObject([{ sessionId, kind: 'question', state: 'open' }])

  const toolCallId = calls[0]!.toolCallId
  const { deadline } = await session.extend(toolCallId, { seconds: 86_400 })
  expect(Date.parse(deadline)).toBeGreaterThan(Date.now())
  const given = { output: { answer: 'tea' } }
  expect(await session.answer(toolCallId, given)).toEqual({ toolCallId, state: 'answered' })
  expect(await session.answer(toolCallId, given)).toEqual({ toolCallId, state: 'answered' })
  await readUntil(session.events({ after: (await session.get()).cursor - 1 }), isEnd)
  expect((await session.get()).calls).toMatchObject([{ output: { answer: 'tea' } }])

  expect(await session.cancel()).toEqual({ turnId: null })
  expect((await client.sessions.list({ agentId: 'guide' })).sessions.map(({ id }) => id)).toContain('talk')
  expect(
    (await client.api.GET('/api/agents/{agentId}', { params: { path: { agentId: 'guide' } } })).data
  ).toMatchObject({ agentId: 'guide' })
  expect(await client.sessions.delete(sessionId)).toEqual({ sessionId })
  expect(await refusalOf(session.get())).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('what the server refuses is a WaystationError: status, code, sentence, fields and the winner', async () => {
  const world = await testWorld()
  const url = await serveApi()
  const { session: opened, token } = await letIn(world)
  const client = clientOf({ url, apiKey })
  const session = client.session(opened.id)

  const noAgent = await refusalOf(client.sessions.create({ agentId: 'nobody' }))
  expect(noAgent).toBeInstanceOf(WaystationError)
  expect(noAgent).toMatchObject({ name: 'WaystationError', status: 400, code: 'AGENT_NOT_FOUND' })
  expect(noAgent.message).toMatch(/\.$/)
  expect(await refusalOf(session.send('  '))).toMatchObject({ status: 400, code: 'EMPTY_MESSAGE' })
  const wrong = await refusalOf(session.send('hi', { whenBusy: 'sometimes' as 'queue' }))
  expect(wrong).toMatchObject({
    status: 422,
    code: 'INVALID_INPUT',
    fields: { whenBusy: expect.any(String) }
  })

  await session.send(demo.asksWhether('to go on'))
  const call = await opened.waitsFor('ask-question')
  await session.answer(call.toolCallId, { output: { answer: 'yes' } })
  expect(await refusalOf(session.answer(call.toolCallId, { output: { answer: 'no' } }))).toMatchObject({
    status: 409,
    code: 'ALREADY_SETTLED',
    winner: { state: 'answered' }
  })

  const ada = clientOf({ url, token: (await token()).token })
  expect(ada.credential).toBe('token')
  expect(await refusalOf(ada.waiting())).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect(() => createClient({ url, apiKey, token: 'both' })).toThrow(TypeError)
})

test('a token does what its scopes say, and is told in a sentence what it may not', async () => {
  const world = await testWorld()
  const url = await serveApi()
  const { session: opened, token } = await letIn(world, ['read'])
  await opened.send(demo.asksWhether('to go on'))
  const call = await opened.waitsFor('ask-question')
  const session = clientOf({ url, token: (await token()).token }).session(opened.id)
  expect((await session.get()).session.waitingFor).toMatchObject([{ toolCallId: call.toolCallId }])
  const refused = [
    session.answer(call.toolCallId, { output: { answer: 'yes' } }),
    session.cancelCall(call.toolCallId),
    session.extend(call.toolCallId, { seconds: 60 }),
    session.send('hello'),
    session.cancel({ calls: true })
  ]
  for (const refusal of await Promise.all(refused.map(refusalOf)))
    expect(refusal).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('a message whose answer got lost is sent again with its key, and is there once', async () => {
  const world = await testWorld()
  const { session: opened } = await letIn(world)
  const line = await lineTo(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(2)
  const ended = opened.ends()
  const receipt = await session.send('say hello')
  expect(line.connections()).toBe(3)
  await ended
  const { messages } = await session.get()
  expect(messages.filter(({ role }) => role === 'user').map(({ id }) => id)).toEqual([receipt.messageId])
})

test('004-10: an agent is told something out of band through the client: seen, taken back, held and let in', async () => {
  const world = await testWorld()
  const { session: opened, token } = await letIn(world)
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

  expect(await session.outOfBand.setPolicy({ mode: 'approve' })).toEqual({
    mode: 'approve',
    minPriority: 'low',
    muted: []
  })
  const held = await session.tell('Build 8 is red.', { sourceId: 'ci' })
  expect(held.status).toBe('held')
  expect(await session.outOfBand.approve(held.id)).toMatchObject({ id: held.id, status: 'visible' })
  await session.outOfBand.setPolicy({ muted: [{ source: 'external', sourceId: 'ci' }] })
  expect(await refusalOf(session.tell('Build 9 is red.', { sourceId: 'ci' }))).toMatchObject({
    status: 403,
    code: 'FORBIDDEN'
  })

  const ada = clientOf({ url, token: (await token()).token }).session(opened.id)
  const hers = await ada.tell('I mean the docs only.')
  expect((await ada.outOfBand.list()).messages[0]).toMatchObject({
    id: hers.id,
    source: 'user',
    sourceId: 'ada'
  })
  expect(await refusalOf(ada.outOfBand.approve(held.id))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect(await refusalOf(ada.outOfBand.setPolicy({ mode: 'off' }))).toMatchObject({ status: 403 })
  const { data } = await clientOf({ url, apiKey }).api.GET('/api/out-of-band', {
    params: { query: { hours: 24 } }
  })
  expect(data?.edges.map(({ from, count }) => [from.sourceId, count])).toEqual([
    ['ada', 1],
    ['ci', 2]
  ])
})

test('what is told out of band and whose answer got lost is told again with its key, and is there once', async () => {
  const world = await testWorld()
  const { session: opened } = await letIn(world)
  const line = await lineTo(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(2)
  const { id } = await session.tell('Build 7 is red.')
  expect(line.connections()).toBe(3)
  expect((await session.outOfBand.list()).messages.map(told => told.id)).toEqual([id])
})

test('what may not be done twice is sent once: that its answer got lost is an error with status 0', async () => {
  const world = await testWorld()
  const { session: opened } = await letIn(world)
  const line = await lineTo(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  line.loseReplies(1)
  expect(await refusalOf(session.cancel())).toMatchObject({ status: 0, code: 'UNREACHABLE' })
  expect(line.connections()).toBe(1)
})

test('a server that is busy is asked again when it says, and an answer that is refused is not', async () => {
  const busy = (status: number, seconds: string) => (index: number) =>
    index < 2 ? ([status, { 'retry-after': seconds }] as const) : ([200, {}] as const)
  const refused = { error: 'Too many.', code: 'RATE_LIMITED', retryAfter: 30 }
  const ask = async (answer: (index: number) => readonly [number, Record<string, string>]) => {
    const server = await startOtherSystem((response, _, index) => {
      const [status, headers] = answer(index)
      response.writeHead(status, headers).end(JSON.stringify(status === 200 ? { calls: [] } : refused))
    })
    return { server, answered: clientOf({ url: server.url, apiKey }).waiting() }
  }
  const soon = await ask(busy(503, '0'))
  expect(await soon.answered).toEqual({ calls: [] })
  expect(soon.server.requests.length).toBe(3)
  const late = await ask(busy(429, '30'))
  expect(await refusalOf(late.answered)).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfter: 30 })
  expect(late.server.requests.length).toBe(1)
  const never = await ask(() => [502, {}])
  expect(await refusalOf(never.answered)).toMatchObject({ status: 502 })
  expect(never.server.requests.length).toBe(4)
})

test('events come back by Last-Event-ID behind a connection that was cut: each once, none missing', async () => {
  const world = await testWorld()
  const { session: opened } = await letIn(world)
  const line = await lineTo(await serveApi())
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

test('a stream that goes silent is left for another one', async () => {
  const server = await startOtherSystem((response, _, index) => {
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

test('a reader whose place in the log is gone is told `reset`, and goes on from there', async () => {
  const world = await testWorld()
  const { session: opened } = await letIn(world)
  const line = await lineTo(await serveApi())
  const session = clientOf({ url: line.url, apiKey }).session(opened.id)
  await opened.says('say hello')
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

test('events end with the refusal when nobody may read any more, and quietly when their reader stops', async () => {
  const world = await testWorld()
  const url = await serveApi()
  const { session: opened, token } = await letIn(world)
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
      isReset(() => revokeToken(world.ctx, { sessionId: opened.id, tokenId }))
    )
  ).rejects.toMatchObject({
    status: 401,
    code: 'UNAUTHENTICATED'
  })
  const stop = new AbortController()
  const read = await readUntil(
    clientOf({ url, apiKey }).session(opened.id).events({ signal: stop.signal }),
    isReset(() => stop.abort())
  )
  expect(read.map(({ type }) => type)).toEqual(['reset'])
})

/** Does something at a reset, and reads on. */
const isReset = (act: () => unknown) => (event: SessionEvent) => {
  if (event.type === 'reset') void act()
  return false
}

test('a token that ran out is renewed, once for all who were refused, and nobody notices', async () => {
  const world = await testWorld()
  const { session: opened, token } = await letIn(world)
  let asked = 0
  const client = clientOf({
    url: await serveApi(),
    token: async () => {
      asked++
      return (await token()).token
    }
  })
  const session = client.session(opened.id)
  await Promise.all([session.get(), session.get()])
  expect(asked).toBe(1)
  await world.sql`update session_tokens set expires_at = clock_timestamp()`
  const ended = opened.ends()
  const [receipt] = await Promise.all([session.send('say hello'), session.get(), session.get()])
  expect(receipt.status).toBe('started')
  expect(asked).toBe(2)

  await ended
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: string[] = []
  for await (const event of session.events({ signal: stop.signal })) {
    seen.push(event.type)
    if (event.type === 'reset') {
      await world.sql`update session_tokens set expires_at = clock_timestamp()`
      await opened.send('count to 200')
    }
    if (asked === 3) break
  }
  expect(seen[0]).toBe('reset')
})

test('a token that cannot be renewed is asked for again by the next request, not remembered as failed', async () => {
  const world = await testWorld()
  const { session: opened, token } = await letIn(world)
  let down = true
  const client = clientOf({
    url: await serveApi(),
    token: async () => {
      if (down) throw new Error('Our own server is down')
      return (await token()).token
    }
  })
  expect(await refusalOf(client.session(opened.id).get())).toMatchObject({ code: 'UNREACHABLE' })
  down = false
  expect((await client.session(opened.id).get()).session.id).toBe(opened.id)
})
