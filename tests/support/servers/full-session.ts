import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect } from 'vitest'
import type { Pool } from '#db/client.ts'
import { createAgent } from '#lib/agents/create.ts'
import { enterCredential } from '#lib/features/connections/visit-connect.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { waitForConnectionCall } from '#tests/support/fakes/connect-accounts.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/** A word that occurs in all content of a lived session and nowhere else. */
export const secretWord = 'xylophone'

/** Starts a server for sessions with everything: webhooks, external tools and an external agent. */
export async function startFullServer() {
  const externalSystem = await startExternalSystem()
  const server = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host } })
  const tools = [
    { name: 'ask-question' },
    { name: 'web-fetch', approval: 'ask' },
    { name: 'github-search-issues' },
    { name: 'alarm-clock' },
    {
      name: 'dispatch',
      where: 'external',
      description: 'Sends something.',
      inputSchema: { type: 'object' },
      url: `${externalSystem.url}/orders`,
      retries: 0
    }
  ]
  await createAgent(server.ctx, AgentConfig.parse({ agentId: 'all', displayName: 'All', chat: { tools } }))
  const external = { inputUrl: `${externalSystem.url}/in`, retries: 0 }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  await callEndpoint(webhookOperations.create, { body: { url: `${externalSystem.url}/hook` } })
  const apiKey = {
    fields: [{ name: 'token', label: 'Token' }],
    header: { name: 'authorization', value: 'Bearer {token}' }
  }
  const config = { service: 'GitHub', apiBase: externalSystem.url, sharing: 'session', apiKey }
  await callEndpoint(connectionOperations.saveIntegration, {
    params: { integration: 'github' },
    body: { config }
  })
  return { ...server, externalSystem }
}

/**
 * Creates a session that uses every feature: messages, files, questions, answers, out-of-band messages, deliveries,
 * idempotency keys, connections, alarms, tokens and unread marks. Nothing in it is pending at the end.
 */
export async function createFullSession(
  server: TestServer,
  sessionId: string,
  subject?: string
): Promise<{ session: TestSession; token: string }> {
  const params = { sessionId }
  const body = { agentId: 'all', sessionId, title: `About a ${secretWord}`, ...(subject && { subject }) }
  await callEndpoint(sessionOperations.create, { body })
  const session = await server.reopenSession(sessionId)
  const tokenResponse = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: subject ?? `player-of-${secretWord}`, scopes: ['read', 'send', 'answer'] }
  })
  const token = String(tokenResponse.body.token)
  const alarm = JSON.stringify({
    wakeAtISO: new Date(Date.now() + 3_600_000).toISOString(),
    reminderMessage: `Mind the ${secretWord}.`
  })
  const text = `use alarm-clock ${alarm}\nuse ask-question {"question": "Which ${secretWord}?"}\nuse dispatch {"order": "${secretWord}"}\nuse github-search-issues {"query": "${secretWord}"}\nuse web-fetch {"url": "http://127.0.0.1:9/${secretWord}"}`
  const file = await callEndpoint(
    fileOperations.upload,
    {
      params,
      query: { name: `${secretWord}.txt` },
      raw: secretWord,
      headers: { 'content-type': 'text/plain' }
    },
    token
  )
  await callEndpoint(
    sessionOperations.send,
    { params, body: { text, key: `key-${secretWord}`, files: [file.body.id] } },
    token
  )
  const question = await session.waitForCall('ask-question')
  const dispatch = await session.waitForCall('dispatch')
  const fetchCall = await session.waitForCall('web-fetch')
  // The turn that asked has its own end, which is not the one that the code below waits for.
  await session.waitForEvent(event => event.type === 'status' && event.status === 'parked')
  await callEndpoint(outOfBandOperations.send, {
    params,
    body: { content: `A ${secretWord} broke.`, sourceId: 'ci' }
  })
  await session.answer(fetchCall, { approved: true, remember: 'session' })
  await session.answer(dispatch, { error: `No ${secretWord} left.` })
  await connectAccount(server, session)
  const { alarms } = (await callEndpoint(alarmOperations.list, { params })).body as {
    alarms: { alarmId: string }[]
  }
  for (const { alarmId } of alarms)
    await callEndpoint(alarmOperations.cancel, { params: { ...params, alarmId } })
  // Turns of the other answers can still end. The session is idle only when nothing is pending.
  const isIdle = session.waitForNextEvent(event => event.type === 'status' && event.status === 'idle')
  await session.answer(question, { output: { answer: `the ${secretWord}` } })
  await isIdle
  // An out-of-band message can start one more turn.
  await expect.poll(() => isServerIdle(server.sql)).toBe(true)
  await waitUntilDelivered(server.sql)
  await addCompaction(server.sql, session.key)
  const { messages } = await session.get()
  await callEndpoint(sessionOperations.read, { params, body: { messageId: messages.at(-1)?.id } })
  return { session, token }
}

/** Adds a compaction of zero entries, so that the session has one and its text stays the same. */
const addCompaction = (sql: Pool, key: number) => sql`
  insert into compactions (session_key, id, to_id, entries, made_by) values (${key}, 'cmp_lived', 0, 1, 'words')`

/** Enters the credentials that one of its tools waits for. */
async function connectAccount(server: TestServer, session: TestSession): Promise<void> {
  const { toolCallId } = await waitForConnectionCall(session, 'github-search-issues')
  const params = { sessionId: session.id, toolCallId }
  const { body } = await callEndpoint(connectionOperations.connectCall, { params, body: {} })
  const ticket = String(body.url).split('/').at(-1) ?? ''
  const visitor = { browser: 'a browser', personIn: async () => null }
  await enterCredential(server.ctx, ticket, visitor, new URLSearchParams({ token: `token-${secretWord}` }))
}

/** Creates a session of an external agent, with a forwarded message and a reply to it. */
export async function createExternalSession(server: TestServer, sessionId: string): Promise<TestSession> {
  const params = { sessionId }
  await callEndpoint(sessionOperations.create, { body: { agentId: 'acme', sessionId } })
  await callEndpoint(sessionOperations.send, { params, body: { text: `One ${secretWord}, please.` } })
  await callEndpoint(externalOperations.callback, {
    params,
    raw: `One ${secretWord} it is.`,
    headers: { 'idempotency-key': `reply-${secretWord}` }
  })
  await callEndpoint(externalOperations.status, {
    params,
    body: { text: `Packing ${secretWord}`, ttlSeconds: 3600 }
  })
  await waitUntilDelivered(server.sql)
  return server.reopenSession(sessionId)
}

/** Waits until no delivery to an external system is pending. */
export const waitUntilDelivered = (sql: Pool) =>
  expect.poll(() => sql`select id from deliveries where state = 'pending'`, { timeout: 30_000 }).toEqual([])

/** Returns the tables of a database, ours and the queue's, as `schema.table`. */
export const tablesOf = async (sql: Pool): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE' order by 1`
  ).map(({ name }) => name)

/**
 * Returns the tables that contain a word in any column. It skips the counts of requests per minute, which contain
 * names and are deleted within the hour by the database's clock.
 */
export async function tablesWith(sql: Pool, word: string): Promise<string[]> {
  const tables: string[] = []
  for (const table of await tablesOf(sql)) {
    if (table === 'public.rate_limits') continue
    const [row] = await sql`select from ${sql(table)} t where strpos(to_jsonb(t)::text, ${word}) > 0 limit 1`
    if (row !== undefined) tables.push(table)
  }
  return tables
}

/** Moves a session's times into the past. */
export async function backdateSession(sql: Pool, { key }: TestSession, days: number): Promise<void> {
  await sql`
    update sessions set active_at = active_at - make_interval(days => ${days}),
      created_at = created_at - make_interval(days => ${days}) where key = ${key}`
  await sql`update events set at = at - make_interval(days => ${days}) where session_key = ${key}`
}
