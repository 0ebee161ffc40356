import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { minuteJobs } from '#lib/compose/jobs.ts'
import { expireSessions } from '#lib/features/data/expire-sessions.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import {
  backdateSession,
  createExternalSession,
  createFullSession,
  secretWord,
  startFullServer,
  tablesOf,
  tablesWith,
  waitUntilDelivered
} from '#tests/support/servers/full-session.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const {
  create,
  send,
  get,
  list,
  log,
  context,
  deliveries,
  follow,
  rename,
  delete: remove
} = sessionOperations

/** Returns the rows of a table that belong to this session. */
const rowsOf = async ({ sql }: TestServer, table: string, key: number) =>
  (await sql`select from ${sql(table)} where session_key = ${key}`).length

/**
 * The tables that keep rows: heads keep `seq` and the generation, spending stays spent, and users can undo the changes of
 * wikis, whose content is not the session's. The job `end-mcp-sessions` ends MCP sessions at their servers and deletes
 * them within a minute.
 */
const keptTables = [
  'public.heads',
  'public.mcp_sessions',
  'public.spend_grants',
  'public.spending',
  'public.wiki_changes'
]

async function tablesOfSessions({ sql }: TestServer): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.columns
    where column_name = 'session_key' and table_schema = 'public' order by 1`
  const tables = await tablesOf(sql)
  return rows.map(({ name }) => name).filter(name => tables.includes(name))
}

test('a deleted session leaves no row in any table with session rows, and none of its text anywhere', async () => {
  const server = await startFullServer()
  const { session } = await createFullSession(server, 'lived')
  const acme = await createExternalSession(server, 'order-1')
  const other = await server.startSession()
  await other.runTurn('say something else')
  const tables = await tablesOfSessions(server)
  for (const table of tables.filter(table => !keptTables.includes(table))) {
    const rows = (await rowsOf(server, table, session.key)) + (await rowsOf(server, table, acme.key))
    expect(rows, `${table}: let liveIn() put something into it, or say why it stays`).toBeGreaterThan(0)
  }
  expect(await tablesWith(server.sql, secretWord)).not.toEqual([])

  for (const { id } of [session, acme])
    expect((await callEndpoint(remove, { body: { sessionId: id } })).status).toBe(200)
  for (const table of tables.filter(table => !keptTables.includes(table)))
    for (const { key } of [session, acme]) expect(await rowsOf(server, table, key), table).toBe(0)
  expect(await tablesWith(server.sql, secretWord)).toEqual([])
  expect(await other.agentTexts()).toEqual(['something else'])
  expect((await callEndpoint(get, { params: { sessionId: 'lived' } })).status).toBe(404)
})

/** Returns a server that keeps sessions for 30 days. */
async function startServerWithRetention(days: number | null = 30) {
  const server = await startFullServer()
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: days } })
  const expire = () => expireSessions(server.ctx)
  const exists = async (sessionId: string) =>
    (await callEndpoint(get, { params: { sessionId } })).status === 200
  return { ...server, expire, isThere: exists }
}

test('after its retention a session is deleted completely, and its ID returns 410 with the next action', async () => {
  const server = await startServerWithRetention()
  const { session, token } = await createFullSession(server, 'lived')
  const recentSession = await server.startSession()
  await recentSession.runTurn('say still here')
  await backdateSession(server.sql, session, 31)
  await backdateSession(server.sql, recentSession, 29)
  await server.expire()

  expect(await tablesWith(server.sql, secretWord)).toEqual([])
  expect(await recentSession.agentTexts()).toEqual(['still here'])
  const params = { sessionId: 'lived', toolCallId: 'x' }
  for (const operation of [
    get,
    log,
    context,
    deliveries,
    follow,
    tokenOperations.list,
    sessionOperations.export
  ])
    expect(await callEndpoint(operation, { params }), operation.id).toMatchObject({
      status: 410,
      body: { code: 'EXPIRED' }
    })
  const chatMessage = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  const requestBodies = [
    [send, { text: 'hi' }],
    [outOfBandOperations.send, { content: 'hi' }],
    [rename, { title: 'hi' }],
    [remove, { sessionId: 'lived' }],
    [callOperations.answer, { declined: true }],
    [tokenOperations.create, { subject: 'ada', scopes: ['read'] }],
    [chatOperations.post, { id: 'lived', messages: [chatMessage] }]
  ] as const
  for (const [operation, body] of requestBodies)
    expect(await callEndpoint(operation, { params, body }), operation.id).toMatchObject({
      status: 410,
      body: { code: 'EXPIRED' }
    })
  const listedSessions = (await callEndpoint(list)).body.sessions as { id: string }[]
  expect(listedSessions.map(({ id }) => id).sort()).toEqual([recentSession.id, 'welcome'].sort())
  expect((await callEndpoint(get, { params }, token)).status).toBe(401)
  const stranger = await createKey(ctxFor({ kind: 'system', name: 'test', workspaceId: 'default' }), {
    name: 'v',
    role: 'viewer'
  })
  expect((await callEndpoint(get, { params }, stranger.secret)).status).toBe(410)
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'other', 'x')`
  const other = await createKey(ctxFor({ kind: 'system', name: 'test', workspaceId: 'other' }), {
    name: 'o',
    role: 'owner'
  })
  expect((await callEndpoint(get, { params }, other.secret)).status).toBe(404)
  await expectValidSessions(server.sql)
})

test('an expired session can be created again, empty; deleted after that it returns 404', async () => {
  const server = await startServerWithRetention()
  const { session } = await createFullSession(server, 'lived', 'ada')
  await backdateSession(server.sql, session, 31)
  await server.expire()
  // Followers are disconnected; a reader that arrives earlier starts with the same events.
  await session.streamEnd
  const params = { sessionId: 'lived' }
  const body = { agentId: 'all', sessionId: 'lived' }
  expect((await callEndpoint(externalOperations.check, { query: body })).body).toMatchObject({
    outcome: 'revive'
  })
  expect(await callEndpoint(create, { body })).toMatchObject({
    status: 201,
    body: { result: { created: true } }
  })
  expect((await callEndpoint(get, { params })).body).toMatchObject({
    messages: [],
    calls: [],
    session: { title: '' }
  })
  const reopened = await server.reopenSession('lived')
  await reopened.runTurn('say hello again')
  expect(await reopened.agentTexts()).toEqual(['hello again'])
  await server.expire()
  expect(await server.isThere('lived')).toBe(true)
  await callEndpoint(remove, { body: params })
  expect(await callEndpoint(get, { params })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a follower of an expiring session is disconnected within a second, and gets 410 when it reconnects', async () => {
  const server = await startServerWithRetention()
  const { session } = await createFullSession(server, 'lived')
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const params = { sessionId: 'lived' }
  const following = (await requestEndpoint(follow, { params, headers })).text()
  await backdateSession(server.sql, session, 31)
  await server.expire()
  await session.streamEnd
  expect(await following).toContain('event: reset')
  expect((await callEndpoint(follow, { params, headers: { 'last-event-id': '7' } })).status).toBe(410)
})

test('a reply of an external system to an expired session gets 410, by link and by key', async () => {
  const server = await startServerWithRetention()
  const session = await createExternalSession(server, 'order-1')
  const params = { sessionId: 'order-1' }
  const { callbackUrl } = (await callEndpoint(externalOperations.link, { params })).body
  const token = new URL(String(callbackUrl)).searchParams.get('token') ?? ''
  const replyByLink = async (raw: string) => {
    const response = await requestEndpoint(externalOperations.callback, { params, query: { token }, raw })
    return { status: response.status, code: (await response.json()).code }
  }
  expect((await replyByLink('Remembered.')).status).toBe(200)
  await waitUntilDelivered(server.sql)
  await backdateSession(server.sql, session, 31)
  await server.expire()
  expect(await replyByLink('Too late.')).toEqual({ status: 410, code: 'EXPIRED' })
  expect((await callEndpoint(externalOperations.callback, { params, raw: 'Too late.' })).status).toBe(410)
  expect(
    (await callEndpoint(externalOperations.callback, { params: { sessionId: 'never' }, raw: 'x' })).status
  ).toBe(404)
  const entries = (await callEndpoint(externalOperations.audit)).body.entries as { sessionId: string }[]
  expect(entries.map(({ sessionId }) => sessionId)).toEqual(['order-1', 'order-1'])
})

test('a session that waits for a user, or that was active recently, does not expire', async () => {
  const server = await startServerWithRetention()
  const waitingSession = await server.startSession('all')
  await waitingSession.runTurn('use ask-question {"question": "Which?"}')
  const call = await waitingSession.waitForCall('ask-question')
  await waitingSession.extend(call, 20 * 86_400)
  const deliveringSession = await server.startSession()
  await deliveringSession.runTurn('say hi')
  await server.sql`
    insert into deliveries (id, workspace_id, session_key, kind, url, body, next_at)
    values ('d', 'default', ${deliveringSession.key}, 'webhook', 'https://acme.example', '{}', now() + interval '1 day')`
  for (const session of [waitingSession, deliveringSession]) await backdateSession(server.sql, session, 40)
  await server.expire()
  expect([await server.isThere(waitingSession.id), await server.isThere(deliveringSession.id)]).toEqual([
    true,
    true
  ])

  // A denial that starts no further step is activity too.
  await waitingSession.answer(call, { declined: true })
  await expect.poll(async () => (await waitingSession.get()).session.status).toBe('idle')
  await server.sql`update sessions set active_at = now() - interval '40 days' where key = ${waitingSession.key}`
  await server.sql`update deliveries set state = 'failed' where id = 'd'`
  await server.expire()
  expect([await server.isThere(waitingSession.id), await server.isThere(deliveringSession.id)]).toEqual([
    true,
    false
  ])
  await backdateSession(server.sql, waitingSession, 40)
  await server.expire()
  expect(await server.isThere(waitingSession.id)).toBe(false)
})

test('a session with a running turn, or one that waits for a retry, does not expire', async () => {
  const server = await startTestServer({
    script: [replyThenHold('Thinking'), replyError(429, { headers: { 'retry-after': '3000' } })]
  })
  await server.saveAgent({})
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: 1 } })
  const running = await server.startSession('test')
  await running.send('go')
  await running.waitForText('Thinking')
  const retryingSession = await server.startSession('test')
  await retryingSession.send('go')
  await retryingSession.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  for (const session of [running, retryingSession]) await backdateSession(server.sql, session, 2)
  await expireSessions(server.ctx)
  for (const { id } of [running, retryingSession])
    expect((await callEndpoint(get, { params: { sessionId: id } })).status).toBe(200)
  server.model.release()
})

test('without a retention (the default) every session is kept, and each workspace has its own setting', async () => {
  const server = await startServerWithRetention(null)
  const oldSession = await server.startSession()
  await oldSession.runTurn('say for ever')
  await backdateSession(server.sql, oldSession, 3000)
  await server.sql`
    insert into workspaces (id, name, link_secret, retention_days) values ('other', 'other', 'x', 1)`
  await server.expire()
  expect(await server.isThere(oldSession.id)).toBe(true)
})

test('the job that runs each minute deletes up to 500 expired sessions, oldest first, and its next run the rest', async () => {
  const server = await startServerWithRetention(1)
  const minute = () => minuteJobs(server.ctx)['expire-sessions']?.()
  await server.sql`
    with made as (
      insert into sessions (workspace_id, id, agent_id, created_by, active_at)
      select 'default', 'old-' || n, 'all', 'test', now() - make_interval(days => 1 + n) from generate_series(1, 501) n returning key
    ) insert into heads (session_key) select key from made`
  await minute()
  const remaining = await server.sql`select id from sessions where deleted_at is null and id <> 'welcome'`
  expect(remaining).toEqual([{ id: 'old-1' }])
  await minute()
  expect(await server.isThere('old-1')).toBe(false)
}, 120_000)

test('an owner sets the retention to whole days from 1 to 3650, or null; omitted settings stay the same', async () => {
  await startTestServer()
  const { get: readSettings, update } = workspaceOperations
  expect((await callEndpoint(readSettings)).body.retentionDays).toBeNull()
  for (const retentionDays of [0, 3651, 1.5, '30', -1])
    expect(await callEndpoint(update, { body: { retentionDays } }), String(retentionDays)).toMatchObject({
      status: 422,
      body: { fields: { retentionDays: expect.any(String) } }
    })
  expect((await callEndpoint(update, { body: { retentionDays: 3650 } })).body.retentionDays).toBe(3650)
  expect((await callEndpoint(update, { body: { spendCaps: { sessionPerDay: 1 } } })).body.retentionDays).toBe(
    3650
  )
  expect((await callEndpoint(update, { body: { retentionDays: null } })).body).toMatchObject({
    retentionDays: null,
    spendCaps: { sessionPerDay: 1 }
  })
  const editor = await createKey(ctxFor({ kind: 'system', name: 't', workspaceId: 'default' }), {
    name: 'e',
    role: 'editor'
  })
  expect((await callEndpoint(update, { body: { retentionDays: 1 } }, editor.secret)).status).toBe(403)
})

test('idempotency keys outlive their session: no receipt is deleted before it is a day old', async () => {
  const server = await startTestServer({ script: [replyText('One.')] })
  await server.saveAgent({})
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: 1 } })
  const session = await server.startSession('test')
  await session.runTurn('go', { key: 'once' })
  await server.sql`update sessions set active_at = now() - interval '23 hours'`
  await expireSessions(server.ctx)
  const keyedSend = { params: { sessionId: session.id }, body: { text: 'go', key: 'once' } }
  expect((await callEndpoint(send, keyedSend)).status).toBe(202)
  expect(server.model.requests).toHaveLength(1)
})
