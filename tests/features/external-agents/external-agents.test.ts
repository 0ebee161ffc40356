import type { ServerResponse } from 'node:http'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Delivery } from '@waystation/protocol/external-agent/delivery.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { applyEvent, emptyTranscript } from '@waystation/protocol/session/fold.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { updateAgent } from '#lib/agents/update.ts'
import { handlerOf } from '#lib/api/dispatch.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import { compactMessages } from '#lib/features/data/compact-messages.ts'
import { listAudit } from '#lib/features/data/list-audit.ts'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { checkSession } from '#lib/sessions/check-session.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { acme, reply } from './acme.ts'

/** Matches a delivery event that fulfils a condition. */
const deliveryWith =
  (matches: (delivery: Delivery) => boolean) =>
  (event: SessionEvent): event is Extract<SessionEvent, { type: 'delivery' }> =>
    event.type === 'delivery' && matches(event.delivery)

const visibleMessages = async (server: { ctx: Parameters<typeof getSession>[0] }) => {
  const { messages } = await getSession(server.ctx, { sessionId: 'order-1' })
  return messages.map(({ role, parts }) => [role, (parts[0] as { text?: string }).text])
}

test('000-2, 000-10, 000-11, 000-12, 000-13: a message is stored and sent once with its callbackUrl, and no model is called', async () => {
  const { externalSystem, send, session, sql, env, ...server } = await acme()
  const receipt = await send('two crates of lamp oil')
  expect(receipt.status).toBe('started')
  const sent = await externalSystem.request(0)
  expect(sent).toMatchObject({
    method: 'POST',
    path: '/in',
    headers: { 'content-type': 'application/json', 'idempotency-key': expect.any(String) }
  })
  const body = JSON.parse(sent.body)
  expect(body).toEqual({
    sessionId: 'order-1',
    agentId: 'acme',
    callbackUrl: expect.stringContaining(`${env.url}/external/sessions/order-1/messages?token=`),
    callsUrl: expect.stringContaining(`${env.url}/external/sessions/order-1/calls?token=`),
    message: {
      type: 'user',
      id: receipt.messageId,
      text: 'two crates of lamp oil',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/)
    }
  })
  const delivered = await session.waitForEvent(deliveryWith(({ state }) => state === 'delivered'))
  expect(delivered).toMatchObject({ delivery: { kind: 'message', messageId: receipt.messageId } })
  expect(await sql`select from turns`).toHaveLength(0)
  expect(await visibleMessages(server)).toEqual([['user', 'two crates of lamp oil']])
  expect(externalSystem.requests).toHaveLength(1)
})

test('000-15, 000-16, 000-17: a reply by curl becomes an assistant message for any content type, and its end is trimmed', async () => {
  const { token, ...server } = await acme()
  const text = '# Done & **dusted**\n\n- one=1\n- two\n\n'
  const { status, body } = await reply(text, { token })
  expect([status, body]).toEqual([200, { ok: true, messageId: expect.any(String) }])
  expect(await visibleMessages(server)).toEqual([['assistant', text.trimEnd()]])
  const { messages, session } = await getSession(server.ctx, { sessionId: 'order-1' })
  expect(messages[0]).toMatchObject({ id: body.messageId, metadata: { sentBy: 'Acme' } })
  expect(session.status).toBe('idle')
})

test('000-4, 000-8: the caller chooses the ID, and an external session cannot be created without one', async () => {
  const { ctx } = await acme()
  await expect(createSession(ctx, { agentId: 'acme' })).rejects.toMatchObject({ code: 'SESSION_ID_REQUIRED' })
  for (const invalid of ['', ' ', 'a b', 'a/b', 'ü', 'x'.repeat(129)])
    await expect(createSession(ctx, { agentId: 'acme', sessionId: invalid })).rejects.toMatchObject({
      code: 'INVALID_SESSION_ID'
    })
  expect(await createSession(ctx, { agentId: 'acme', sessionId: ' order-2 ' })).toMatchObject({
    sessionId: 'order-2',
    created: true
  })
})

test('000-5, 000-6: sessions are created and deleted at the paths of the contract, which return {ok, result}', async () => {
  await acme()
  expect(sessionOperations.create.path).toBe('/api/plugins/sessions/operations/create')
  expect(sessionOperations.delete.path).toBe('/api/plugins/sessions/operations/delete')
  const createdResponse = await callEndpoint(sessionOperations.create, {
    body: { agentId: 'acme', sessionId: 'order-9' }
  })
  expect(createdResponse).toEqual({
    status: 201,
    body: { ok: true, result: { sessionId: 'order-9', agentId: 'acme', created: true } }
  })
  const deleted = await callEndpoint(sessionOperations.delete, { body: { sessionId: 'order-9' } })
  expect(deleted).toEqual({ status: 200, body: { ok: true, result: { sessionId: 'order-9' } } })
})

test('000-7, 000-22: a session is attached, refused or created again empty, and the check predicts which', async () => {
  const { ctx, saveAgent, send } = await acme()
  await saveAgent({ agentId: 'test' })
  await send('hello')
  const outcomeOf = async (agentId: string, sessionId: string) =>
    (await checkSession(ctx, { agentId, sessionId })).outcome
  expect(await outcomeOf('acme', ' order-1 ')).toBe('attach')
  expect(await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })).toMatchObject({
    created: false
  })
  expect(await outcomeOf('test', 'order-1')).toBe('taken')
  await expect(createSession(ctx, { agentId: 'test', sessionId: 'order-1' })).rejects.toMatchObject({
    code: 'SESSION_AGENT_MISMATCH'
  })
  expect(await outcomeOf('acme', 'nobody-has-it')).toBe('new')
  await expect(outcomeOf('acme', 'no/no')).rejects.toMatchObject({ code: 'INVALID_SESSION_ID' })
  await deleteSession(ctx, { sessionId: 'order-1' })
  expect(await outcomeOf('acme', 'order-1')).toBe('revive')
  expect(await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })).toMatchObject({ created: true })
  expect((await getSession(ctx, { sessionId: 'order-1' })).messages).toEqual([])
})

test('000-14, 000-19: a failed delivery shows its status, and “Send again” repeats the same delivery', async () => {
  let isUp = false
  const { externalSystem, send, session, ctx } = await acme({}, response =>
    isUp ? void response.end('ok') : void response.writeHead(503).end('We are closed.')
  )
  await send('anybody there?')
  const { delivery: failed } = await session.waitForEvent(deliveryWith(({ state }) => state === 'failed'))
  expect(failed.attempts).toEqual([
    {
      at: expect.any(String),
      ms: expect.any(Number),
      status: 503,
      error: expect.stringContaining('503'),
      body: 'We are closed.'
    }
  ])
  isUp = true
  expect(await redeliver(ctx, { sessionId: 'order-1', deliveryId: failed.id })).toMatchObject({
    state: 'pending'
  })
  await session.waitForEvent(deliveryWith(({ state }) => state === 'delivered'))
  const [first, second] = [await externalSystem.request(0), await externalSystem.request(1)]
  expect(second.body).toBe(first.body)
  expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key'])
})

test('the list of sessions in trouble has failed turns and failed deliveries', async () => {
  const { send, session, ctx } = await acme({}, response => void response.writeHead(503).end())
  await createSession(ctx, { agentId: 'acme', sessionId: 'calm' })
  const listByQuery = async (query: Record<string, string>) =>
    ((await callEndpoint(sessionOperations.list, { query })).body.sessions as { id: string }[]).map(
      ({ id }) => id
    )
  expect(await listByQuery({ trouble: 'true' })).toEqual([])
  await send('hello')
  await session.waitForEvent(deliveryWith(({ state }) => state === 'failed'))
  expect(await listByQuery({ trouble: 'true' })).toEqual(['order-1'])
  expect(await listByQuery({})).toEqual(expect.arrayContaining(['calm', 'order-1']))
})

test('000-10: a second message waits for the first, even if that one fails, so that they arrive in order', async () => {
  let release = () => {}
  const { ctx, externalSystem, send } = await acme({}, (response, _, index) => {
    if (index === 0) release = () => void response.writeHead(500).end()
    else response.end('ok')
  })
  await send('first')
  await externalSystem.request(0)
  await send('second')
  await send('third')
  // The messages of another session do not wait, so its message overtakes them.
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-2' })
  await sendMessage(ctx, SendMessage.parse({ sessionId: 'order-2', text: 'elsewhere' }))
  await externalSystem.request(1)
  release()
  await externalSystem.request(3)
  expect(externalSystem.requests.map(({ body }) => JSON.parse(body).message.text)).toEqual([
    'first',
    'elsewhere',
    'second',
    'third'
  ])
})

test('000-16, 000-23: a missing or forged credential gives 401; a genuine one for a deleted, recreated or chat session gives 404', async () => {
  const { ctx, token, saveAgent } = await acme()
  await saveAgent({ agentId: 'test' })
  await createSession(ctx, { agentId: 'test', sessionId: 'chat' })
  const codeOf = async (...replyArgs: Parameters<typeof reply>) => {
    const { status, body } = await reply(...replyArgs)
    return [status, body.code]
  }
  const key = { authorization: 'Bearer the-admin-key-of-every-test' }
  const forgedToken = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  expect(await codeOf('hi', {})).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf('hi', { token: 'nonsense' })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf('hi', { token: forgedToken })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf('hi', { token: 'x'.repeat(2000) }, { 'idempotency-key': 'k'.repeat(300) })).toEqual([
    401,
    'UNAUTHENTICATED'
  ])
  expect(await codeOf('hi', { token }, { 'idempotency-key': 'k'.repeat(300) })).toEqual([
    422,
    'INVALID_INPUT'
  ])
  expect(await codeOf('hi', { token: token.replace('~1~', '~2~') })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf('hi', { token }, { authorization: 'Bearer wrong' })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf('hi', { token, sessionId: 'order-2' })).toEqual([404, 'NOT_FOUND'])
  expect(await codeOf('hi', { sessionId: 'chat' }, key)).toEqual([404, 'NOT_FOUND'])
  expect(await codeOf('hi', {}, key)).toEqual([200, undefined])
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect(await codeOf('hi', {}, { authorization: `Bearer ${secret}` })).toEqual([403, 'FORBIDDEN'])

  await deleteSession(ctx, { sessionId: 'order-1' })
  expect(await codeOf('hi', { token })).toEqual([404, 'NOT_FOUND'])
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  expect(await codeOf('hi', { token })).toEqual([404, 'NOT_FOUND'])
})

test('000-15, 000-16: the body of an unknown caller is not read; that of a known one has at most 1 MiB and must contain text', async () => {
  const { token, ...server } = await acme()
  const largeText = 'x'.repeat(1024 * 1024 + 1)
  expect((await reply(largeText, {})).body.code).toBe('UNAUTHENTICATED')
  expect((await reply(largeText, { token })).body.code).toBe('TOO_LARGE')
  expect((await reply(' \n\t', { token })).body.code).toBe('EMPTY_MESSAGE')
  expect((await reply('', { token })).body.code).toBe('EMPTY_MESSAGE')
  expect(await visibleMessages(server)).toEqual([])
  expect((await reply('NUL \0 and \ud800', { token })).status).toBe(200)
  expect(await visibleMessages(server)).toEqual([['assistant', 'NUL \ufffd and \ufffd']])
})

test('22 B6: a reply that is not UTF-8 is shown with U+FFFD, and a compressed one is refused', async () => {
  const { token, ...server } = await acme()
  const latinBytes = Buffer.from('caf\xe9 \0', 'latin1')
  expect((await reply(Uint8Array.from(latinBytes), { token })).status).toBe(200)
  expect(await visibleMessages(server)).toEqual([['assistant', 'caf\ufffd \ufffd']])
  const compressed = await reply('x', { token }, { 'content-encoding': 'gzip' })
  expect([compressed.status, compressed.body.code]).toEqual([415, 'UNSUPPORTED_TYPE'])
  expect(await visibleMessages(server)).toHaveLength(1)
})

test('a question mark in the query of a reply is part of its value', async () => {
  const { token, ...server } = await acme()
  const send = (key: string) =>
    handlerOf(externalOperations.callback)(
      new Request(`http://localhost:3000/api/sessions/order-1/callback?key=${key}&token=${token}`, {
        method: 'POST',
        body: key
      }),
      { sessionId: 'order-1' }
    )
  expect((await send('order?1')).status).toBe(200)
  expect((await send('order?2')).status).toBe(200)
  expect(await visibleMessages(server)).toEqual([
    ['assistant', 'order?1'],
    ['assistant', 'order?2']
  ])
})

test('fifty copies of a keyed reply make one message; without a key each is a message; another text with the key gives 422', async () => {
  const { token, sql, ...server } = await acme()
  const keyHeader = { 'idempotency-key': 'r-1' }
  const copies = await Promise.all(Array.from({ length: 50 }, () => reply('once', { token }, keyHeader)))
  expect(new Set(copies.map(({ status, body }) => `${status} ${body.messageId}`)).size).toBe(1)
  expect((await reply('once', { token }, { 'webhook-id': 'r-1' })).body).toEqual(copies[0]?.body)
  expect((await reply('other', { token }, keyHeader)).body.code).toBe('KEY_REUSED')
  expect(await visibleMessages(server)).toEqual([['assistant', 'once']])
  await reply('again', { token })
  await reply('again', { token })
  expect(await visibleMessages(server)).toEqual([
    ['assistant', 'once'],
    ['assistant', 'again'],
    ['assistant', 'again']
  ])
  await expectValidSessions(sql)
})

test('a reply that arrives before its message is delivered, or three days later, is accepted', async () => {
  const server = await acme({}, async (response, { body }) => {
    const { token } = Object.fromEntries(new URL(JSON.parse(body).callbackUrl).searchParams)
    await reply('I was faster than my 200', { token: token ?? '' })
    response.end('ok')
  })
  await server.send('hello')
  await server.session.waitForEvent(deliveryWith(({ state }) => state === 'delivered'))
  await server.advanceTime(3 * 86400)
  await reply('and I came late', { token: server.token })
  expect(await visibleMessages(server)).toEqual([
    ['user', 'hello'],
    ['assistant', 'I was faster than my 200'],
    ['assistant', 'and I came late']
  ])
})

test('000-10, 000-11: with retries a failed delivery is retried with the same key and body, without them it is not', async () => {
  const { send, session, advanceTime, externalSystem } = await acme({ retries: 2 }, (response, _, index) =>
    index < 2 ? void response.writeHead(502).end() : void response.end('ok')
  )
  await send('hello')
  for (const tries of [1, 2]) {
    await session.waitForEvent(
      deliveryWith(({ attempts, nextAt }) => attempts.length === tries && nextAt !== undefined)
    )
    await advanceTime(600)
  }
  await session.waitForEvent(deliveryWith(({ state }) => state === 'delivered'))
  expect(externalSystem.requests).toHaveLength(3)
  const sent = externalSystem.requests.map(({ headers, body }) => [headers['idempotency-key'], body])
  expect(sent).toEqual([sent[0], sent[0], sent[0]])
  expect(sent[0]?.[0]).toMatch(/^dlv_/)
})

test.each([
  [
    'never ends',
    (response: ServerResponse) => void response.writeHead(200).write('x'.repeat(2 * 1024 * 1024))
  ],
  [
    'breaks off',
    (response: ServerResponse) => void response.writeHead(202).write('{"ok":', () => response.destroy())
  ]
])('an accepting status delivers a message, also if the response %s (000-10)', async (_, answer) => {
  const { send, session, externalSystem } = await acme({ retries: 1 }, answer)
  await send('hello')
  const { delivery } = await session.waitForEvent(deliveryWith(({ attempts }) => attempts.length === 1))
  expect(delivery.state).toBe('delivered')
  expect(externalSystem.requests).toHaveLength(1)
})

test('a delivery waits as long as the external agent’s Retry-After asks, up to an hour', async () => {
  for (const [retryAfter, min, max] of [
    ['120', 119, 121],
    [new Date(Date.now() + 300_000).toUTCString(), 240, 301],
    ['86400', 3599, 3601]
  ] as const) {
    const { send, session, sql } = await acme({ retries: 1 }, response =>
      response.writeHead(503, { 'retry-after': retryAfter }).end()
    )
    await send('hello')
    const { delivery } = await session.waitForEvent(deliveryWith(({ attempts }) => attempts.length === 1))
    expect(delivery.state).toBe('pending')
    expect(delivery.attempts[0]).not.toHaveProperty('retryAfter')
    const [next] = await sql<{ afterCreation: number; fromNow: number }[]>`
      select extract(epoch from next_at - created_at)::float8 as after_creation,
        extract(epoch from next_at - clock_timestamp())::float8 as from_now
      from deliveries`
    expect(next?.afterCreation).toBeGreaterThan(min)
    expect(next?.fromNow).toBeLessThan(max)
  }
})

test('000-1, 000-3: chat and external configs never mix, chat is the default, and a type cannot change', async () => {
  const { ctx } = await acme()
  const base = { agentId: 'x', displayName: 'X' }
  const external = { inputUrl: 'https://acme.example/in' }
  expect(AgentConfig.parse(base)).toMatchObject({ type: 'chat' })
  for (const invalid of [
    { ...base, external },
    { ...base, type: 'external' },
    { ...base, type: 'external', external: {} },
    { ...base, type: 'external', external: { ...external, retries: 11 } },
    { ...base, type: 'external', external, chat: {} },
    { ...base, type: 'external', external: { inputUrl: 'ftp://acme.example' } },
    { ...base, type: 'chat', external }
  ])
    expect(AgentConfig.safeParse(invalid).success, JSON.stringify(invalid)).toBe(false)
  await expect(
    updateAgent(ctx, AgentConfig.parse({ agentId: 'acme', displayName: 'Acme' }))
  ).rejects.toMatchObject({ code: 'INVALID_INPUT', extra: { fields: { type: 'must be external' } } })
})

test('000-12: the callback base URL can have a path, with or without a slash at its end', async () => {
  for (const callbackBaseUrl of ['https://way.example/base', 'https://way.example/base/']) {
    const { externalSystem, send } = await acme({ callbackBaseUrl })
    await send('hello')
    expect(JSON.parse((await externalSystem.request(0)).body).callbackUrl).toMatch(
      /^https:\/\/way\.example\/base\/external\/sessions\/order-1\/messages\?token=/
    )
  }
})

test('the callback link is for users who can change agents, and the reference documents the reply endpoint', async () => {
  const { ctx } = await acme()
  const params = { sessionId: 'order-1' }
  const { status, body } = await callEndpoint(externalOperations.link, { params })
  expect([status, body]).toEqual([200, { callbackUrl: expect.stringContaining('token='), signed: false }])
  await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  expect((await callEndpoint(externalOperations.link, { params })).body).toMatchObject({ signed: true })
  expect((await callEndpoint(externalOperations.link, { params: { sessionId: 'none' } })).status).toBe(404)
})

test('000-23: each injected message leaves an audit row with its actor and credential, even after the session is deleted', async () => {
  const { ctx, token } = await acme()
  await reply('by its link', { token }, { 'idempotency-key': 'r-1' })
  await reply('by its link', { token }, { 'idempotency-key': 'r-1' })
  await reply('by a key', {}, { authorization: 'Bearer the-admin-key-of-every-test' })
  await reply('forged', { token: 'nonsense' })
  await deleteSession(ctx, { sessionId: 'order-1' })
  const { entries, nextBefore } = await listAudit(ctx, {})
  expect(entries).toMatchObject([
    { sessionId: 'order-1', action: 'message.injected', actor: 'Acme', credential: 'key environment' },
    { sessionId: 'order-1', action: 'message.injected', actor: 'Acme', credential: 'link' }
  ])
  expect(nextBefore).toBeNull()
  expect((await listAudit(ctx, { before: entries[0]?.id })).entries).toHaveLength(1)
  expect((await listAudit(ctx, { sessionId: 'other' })).entries).toEqual([])
})

test('private, loopback and link-local addresses are refused before a connection is made', async () => {
  const { ctx, externalSystem, ...server } = await acme()
  const { port } = new URL(externalSystem.url)
  const privateUrls = [
    `http://127.0.0.2:${port}/`,
    `http://[::ffff:127.0.0.2]:${port}/`,
    `http://2130706434:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://[::1]:${port}/`,
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://[fd00::1]/'
  ]
  for (const [n, inputUrl] of privateUrls.entries()) {
    const agentId = `hostile-${n}`
    await createAgent(
      ctx,
      AgentConfig.parse({ agentId, displayName: 'H', type: 'external', external: { inputUrl } })
    )
    await createSession(ctx, { agentId, sessionId: agentId })
    const session = await server.reopenSession(agentId)
    await session.send('hello')
    const { delivery } = await session.waitForEvent(deliveryWith(({ state }) => state === 'failed'))
    expect(delivery.attempts, inputUrl).toEqual([
      {
        at: expect.any(String),
        ms: expect.any(Number),
        error: expect.stringContaining('WAYSTATION_EGRESS_ALLOW')
      }
    ])
  }
  expect(externalSystem.requests).toEqual([])
})

test('a reply in pieces grows while it is read, becomes one message when it is complete, and then accepts no more', async () => {
  const { token, session, ...server } = await acme()
  const piece = (text: string, name: string, key?: string) =>
    reply(
      text,
      { token },
      { 'waystation-message': name, ...(key === undefined ? {} : { 'idempotency-key': key }) }
    )
  const first = await piece('On its ', 'r1', 'k1')
  expect(first.status).toBe(200)
  expect(await textsOf(server)).toEqual(['On its '])
  expect((await piece('On its ', 'r1', 'k1')).body).toEqual(first.body)
  expect((await piece('way.\n', 'r1')).body).toEqual(first.body)
  expect((await piece('\nSoon.', 'r1; done')).body).toEqual(first.body)
  expect(await textsOf(server)).toEqual(['On its way.\n\nSoon.'])
  expect((await piece('more', 'r1')).body.code).toBe('CONFLICT')
  expect((await piece('', 'r2')).body.code).toBe('EMPTY_MESSAGE')
  expect((await piece('x', 'no spaces here')).body.code).toBe('INVALID_INPUT')
  expect((await piece('x'.repeat(64 * 1024 + 1), 'r2')).body.code).toBe('TOO_LARGE')
  await session.waitForEvent(event => event.type === 'chunk' && event.chunk.type === 'finish')
  const transcript = session.events.reduce(applyEvent, emptyTranscript)
  expect(transcript.messages.map(({ message }) => textOf(message))).toEqual(['On its way.\n\nSoon.'])
  const { entries } = await listAudit(server.ctx, {})
  expect(entries).toHaveLength(1)
})

test('a user’s message ends a reply in pieces, and the next piece continues below it', async () => {
  const { token, send, sql, session, ...server } = await acme()
  const piece = (text: string, name: string) => reply(text, { token }, { 'waystation-message': name })
  await piece('I look it up', 'r1')
  await send('hurry, please')
  await piece('… there it is.', 'r1; done')
  await piece('A', 'r2')
  await reply('A whole one.', { token })
  await piece('B', 'r2; done')
  const texts = ['I look it up', 'hurry, please', '… there it is.', 'A', 'A whole one.', 'B']
  expect(await textsOf(server)).toEqual(texts)
  await session.waitForEvent(
    event => event.type === 'chunk' && event.chunk.type === 'text-delta' && event.chunk.delta === 'B'
  )
  await sql`update messages set done_at = done_at - interval '1 hour' where done`
  await compactMessages(server.ctx)
  const replayed = await server.reopenSession('order-1')
  const transcript = replayed.events.reduce(applyEvent, emptyTranscript)
  expect(transcript.messages.map(({ message }) => textOf(message))).toEqual(texts)
})

const textsOf = async ({ ctx }: { ctx: Parameters<typeof getSession>[0] }) =>
  (await getSession(ctx, { sessionId: 'order-1' })).messages.map(textOf)
