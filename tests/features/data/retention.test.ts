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
import { fails, holds, says } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectSoundSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import {
  age,
  livedWorld,
  liveIn,
  liveWithAcme,
  secretWord,
  tablesOf,
  tablesWith
} from '#tests/support/servers/full-session.ts'
import { type TestWorld, testWorld } from '#tests/support/servers/test-server.ts'

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
const rowsOf = async ({ sql }: TestWorld, table: string, key: number) =>
  (await sql`select from ${sql(table)} where session_key = ${key}`).length

/** The tables that keep rows: heads keep `seq` and the generation, and spending stays spent. */
const keptTables = ['public.heads', 'public.spend_grants', 'public.spending']

async function tablesOfSessions({ sql }: TestWorld): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.columns
    where column_name = 'session_key' and table_schema = 'public' order by 1`
  const tables = await tablesOf(sql)
  return rows.map(({ name }) => name).filter(name => tables.includes(name))
}

test('a deleted session leaves no row in any table with session rows, and none of its text anywhere', async () => {
  const world = await livedWorld()
  const { session } = await liveIn(world, 'lived')
  const acme = await liveWithAcme(world, 'order-1')
  const other = await world.session()
  await other.says('say something else')
  const tables = await tablesOfSessions(world)
  for (const table of tables.filter(table => !keptTables.includes(table))) {
    const rows = (await rowsOf(world, table, session.key)) + (await rowsOf(world, table, acme.key))
    expect(rows, `${table}: let liveIn() put something into it, or say why it stays`).toBeGreaterThan(0)
  }
  expect(await tablesWith(world.sql, secretWord)).not.toEqual([])

  for (const { id } of [session, acme])
    expect((await callEndpoint(remove, { body: { sessionId: id } })).status).toBe(200)
  for (const table of tables.filter(table => !keptTables.includes(table)))
    for (const { key } of [session, acme]) expect(await rowsOf(world, table, key), table).toBe(0)
  expect(await tablesWith(world.sql, secretWord)).toEqual([])
  expect(await other.said()).toEqual(['something else'])
  expect((await callEndpoint(get, { params: { sessionId: 'lived' } })).status).toBe(404)
})

/** Returns a world that keeps sessions for 30 days. */
async function worldWithRetention(days: number | null = 30) {
  const world = await livedWorld()
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: days } })
  const expire = () => expireSessions(world.ctx)
  const exists = async (sessionId: string) =>
    (await callEndpoint(get, { params: { sessionId } })).status === 200
  return { ...world, expire, isThere: exists }
}

test('after its retention a session is deleted completely, and its ID returns 410 with the next action', async () => {
  const world = await worldWithRetention()
  const { session, token } = await liveIn(world, 'lived')
  const recentSession = await world.session()
  await recentSession.says('say still here')
  await age(world.sql, session, 31)
  await age(world.sql, recentSession, 29)
  await world.expire()

  expect(await tablesWith(world.sql, secretWord)).toEqual([])
  expect(await recentSession.said()).toEqual(['still here'])
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
  await world.sql`insert into workspaces (id, name, link_secret) values ('other', 'other', 'x')`
  const other = await createKey(ctxFor({ kind: 'system', name: 'test', workspaceId: 'other' }), {
    name: 'o',
    role: 'owner'
  })
  expect((await callEndpoint(get, { params }, other.secret)).status).toBe(404)
  await expectSoundSessions(world.sql)
})

test('an expired session can be created again, empty; deleted after that it returns 404', async () => {
  const world = await worldWithRetention()
  const { session } = await liveIn(world, 'lived', 'ada')
  await age(world.sql, session, 31)
  await world.expire()
  // Followers are disconnected; a reader that arrives earlier starts with the same events.
  await session.over
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
  const reopened = await world.reopen('lived')
  await reopened.says('say hello again')
  expect(await reopened.said()).toEqual(['hello again'])
  await world.expire()
  expect(await world.isThere('lived')).toBe(true)
  await callEndpoint(remove, { body: params })
  expect(await callEndpoint(get, { params })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a follower of an expiring session is disconnected within a second, and gets 410 when it reconnects', async () => {
  const world = await worldWithRetention()
  const { session } = await liveIn(world, 'lived')
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const params = { sessionId: 'lived' }
  const following = (await requestEndpoint(follow, { params, headers })).text()
  await age(world.sql, session, 31)
  await world.expire()
  await session.over
  expect(await following).toContain('event: reset')
  expect((await callEndpoint(follow, { params, headers: { 'last-event-id': '7' } })).status).toBe(410)
})

test('a reply of an external system to an expired session gets 410, by link and by key', async () => {
  const world = await worldWithRetention()
  const session = await liveWithAcme(world, 'order-1')
  const params = { sessionId: 'order-1' }
  const { callbackUrl } = (await callEndpoint(externalOperations.link, { params })).body
  const token = new URL(String(callbackUrl)).searchParams.get('token') ?? ''
  const replyByLink = async (raw: string) => {
    const response = await requestEndpoint(externalOperations.callback, { params, query: { token }, raw })
    return { status: response.status, code: (await response.json()).code }
  }
  expect((await replyByLink('Remembered.')).status).toBe(200)
  await age(world.sql, session, 31)
  await world.expire()
  expect(await replyByLink('Too late.')).toEqual({ status: 410, code: 'EXPIRED' })
  expect((await callEndpoint(externalOperations.callback, { params, raw: 'Too late.' })).status).toBe(410)
  expect(
    (await callEndpoint(externalOperations.callback, { params: { sessionId: 'never' }, raw: 'x' })).status
  ).toBe(404)
  const entries = (await callEndpoint(externalOperations.audit)).body.entries as { sessionId: string }[]
  expect(entries.map(({ sessionId }) => sessionId)).toEqual(['order-1', 'order-1'])
})

test('a session that waits for a user, or that was active recently, does not expire', async () => {
  const world = await worldWithRetention()
  const waitingSession = await world.session('all')
  await waitingSession.says('use ask-question {"question": "Which?"}')
  const call = await waitingSession.waitsFor('ask-question')
  await waitingSession.extend(call, 20 * 86_400)
  const deliveringSession = await world.session()
  await deliveringSession.says('say hi')
  await world.sql`
    insert into deliveries (id, workspace_id, session_key, kind, url, body, next_at)
    values ('d', 'default', ${deliveringSession.key}, 'webhook', 'https://acme.example', '{}', now() + interval '1 day')`
  for (const session of [waitingSession, deliveringSession]) await age(world.sql, session, 40)
  await world.expire()
  expect([await world.isThere(waitingSession.id), await world.isThere(deliveringSession.id)]).toEqual([
    true,
    true
  ])

  // A denial that starts no further step is activity too.
  await waitingSession.answer(call, { declined: true })
  await expect.poll(async () => (await waitingSession.get()).session.status).toBe('idle')
  await world.sql`update sessions set active_at = now() - interval '40 days' where key = ${waitingSession.key}`
  await world.sql`update deliveries set state = 'failed' where id = 'd'`
  await world.expire()
  expect([await world.isThere(waitingSession.id), await world.isThere(deliveringSession.id)]).toEqual([
    true,
    false
  ])
  await age(world.sql, waitingSession, 40)
  await world.expire()
  expect(await world.isThere(waitingSession.id)).toBe(false)
})

test('a session with a running turn, or one that waits for a retry, does not expire', async () => {
  const world = await testWorld({
    script: [holds('Thinking'), fails(429, { headers: { 'retry-after': '3000' } })]
  })
  await world.agent({})
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: 1 } })
  const running = await world.session('test')
  await running.send('go')
  await running.reads('Thinking')
  const retryingSession = await world.session('test')
  await retryingSession.send('go')
  await retryingSession.sees(event => event.type === 'status' && event.retryAt !== undefined)
  for (const session of [running, retryingSession]) await age(world.sql, session, 2)
  await expireSessions(world.ctx)
  for (const { id } of [running, retryingSession])
    expect((await callEndpoint(get, { params: { sessionId: id } })).status).toBe(200)
  world.model.release()
})

test('without a retention (the default) every session is kept, and each workspace has its own setting', async () => {
  const world = await worldWithRetention(null)
  const oldSession = await world.session()
  await oldSession.says('say for ever')
  await age(world.sql, oldSession, 3000)
  await world.sql`
    insert into workspaces (id, name, link_secret, retention_days) values ('other', 'other', 'x', 1)`
  await world.expire()
  expect(await world.isThere(oldSession.id)).toBe(true)
})

test('the job that runs each minute deletes up to 500 expired sessions, oldest first, and its next run the rest', async () => {
  const world = await worldWithRetention(1)
  const minute = () => minuteJobs(world.ctx)['expire-sessions']?.()
  await world.sql`
    with made as (
      insert into sessions (workspace_id, id, agent_id, created_by, active_at)
      select 'default', 'old-' || n, 'all', 'test', now() - make_interval(days => 1 + n) from generate_series(1, 501) n returning key
    ) insert into heads (session_key) select key from made`
  await minute()
  const remaining = await world.sql`select id from sessions where deleted_at is null and id <> 'welcome'`
  expect(remaining).toEqual([{ id: 'old-1' }])
  await minute()
  expect(await world.isThere('old-1')).toBe(false)
})

test('an owner sets the retention to whole days from 1 to 3650, or null; omitted settings stay the same', async () => {
  await testWorld()
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
  const world = await testWorld({ script: [says('One.')] })
  await world.agent({})
  await callEndpoint(workspaceOperations.update, { body: { retentionDays: 1 } })
  const session = await world.session('test')
  await session.says('go', { key: 'once' })
  await world.sql`update sessions set active_at = now() - interval '23 hours'`
  await expireSessions(world.ctx)
  const keyedSend = { params: { sessionId: session.id }, body: { text: 'go', key: 'once' } }
  expect((await callEndpoint(send, keyedSend)).status).toBe(202)
  expect(world.model.requests).toHaveLength(1)
})
