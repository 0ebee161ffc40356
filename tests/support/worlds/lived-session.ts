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
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { lacks } from '#tests/support/fakes/connecting.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { atRest } from '#tests/support/worlds/sound-sessions.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/worlds/world.ts'

/** A word that is in everything that is said in a lived session, and nowhere else. */
export const secretWord = 'xylophone'

/** A world whose sessions may have everything in them: webhooks, external tools, another system as an agent. */
export async function livedWorld() {
  const outside = await startOtherSystem()
  const world = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: outside.host } })
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
      url: `${outside.url}/orders`,
      retries: 0
    }
  ]
  await createAgent(world.ctx, AgentConfig.parse({ agentId: 'all', displayName: 'All', chat: { tools } }))
  const external = { inputUrl: `${outside.url}/in`, retries: 0 }
  await createAgent(
    world.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  await callEndpoint(webhookOperations.create, { body: { url: `${outside.url}/hook` } })
  const apiKey = {
    fields: [{ name: 'token', label: 'Token' }],
    header: { name: 'authorization', value: 'Bearer {token}' }
  }
  const config = { service: 'GitHub', apiBase: outside.url, sharing: 'session', apiKey }
  await callEndpoint(connectionOperations.saveIntegration, {
    params: { integration: 'github' },
    body: { config }
  })
  return { ...world, outside }
}

/**
 * A session in which everything has happened that can: it was sent, said, asked, answered, told, delivered, keyed and opened
 * by a token. Nothing in it is open at the end.
 */
export async function liveIn(
  world: TestWorld,
  sessionId: string,
  subject?: string
): Promise<{ session: TestSession; token: string }> {
  const params = { sessionId }
  const body = { agentId: 'all', sessionId, title: `About a ${secretWord}`, ...(subject && { subject }) }
  await callEndpoint(sessionOperations.create, { body })
  const session = await world.reopen(sessionId)
  const minted = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: subject ?? `player-of-${secretWord}`, scopes: ['read', 'send', 'answer'] }
  })
  const token = String(minted.body.token)
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
  const question = await session.waitsFor('ask-question')
  const dispatch = await session.waitsFor('dispatch')
  const fetching = await session.waitsFor('web-fetch')
  // The turn that asked has an end of its own, which is not the one waited for below.
  await session.sees(event => event.type === 'status' && event.status === 'parked')
  await callEndpoint(outOfBandOperations.send, {
    params,
    body: { content: `A ${secretWord} broke.`, sourceId: 'ci' }
  })
  await session.answer(fetching, { approved: true, remember: 'session' })
  await session.answer(dispatch, { error: `No ${secretWord} left.` })
  await connect(world, session)
  const { alarms } = (await callEndpoint(alarmOperations.list, { params })).body as {
    alarms: { alarmId: string }[]
  }
  for (const { alarmId } of alarms)
    await callEndpoint(alarmOperations.cancel, { params: { ...params, alarmId } })
  // Turns of the other answers may end yet: at rest it is once nothing waits.
  const rests = session.next(event => event.type === 'status' && event.status === 'idle')
  await session.answer(question, { output: { answer: `the ${secretWord}` } })
  await rests
  // An out-of-band message can start one more turn.
  await expect.poll(() => atRest(world.sql)).toBe(true)
  await allSent(world.sql)
  await summedUp(world.sql, session.key)
  return { session, token }
}

/** As if its prompt had been full: a window that moved by nothing, so that what is said of the session stays as it is. */
const summedUp = (sql: Pool, key: number) => sql`
  insert into compactions (session_key, id, to_id, entries, made_by) values (${key}, 'cmp_lived', 0, 1, 'words')`

/** Enters the credentials that a tool of it waits for. */
async function connect(world: TestWorld, session: TestSession): Promise<void> {
  const { toolCallId } = await lacks(session, 'github-search-issues')
  const params = { sessionId: session.id, toolCallId }
  const { body } = await callEndpoint(connectionOperations.connectCall, { params, body: {} })
  const ticket = String(body.url).split('/').at(-1) ?? ''
  const visitor = { browser: 'a browser', personIn: async () => null }
  await enterCredential(world.ctx, ticket, visitor, new URLSearchParams({ token: `token-${secretWord}` }))
}

/** A session of another system, with a message that was sent on and a reply to it. */
export async function liveWithAcme(world: TestWorld, sessionId: string): Promise<TestSession> {
  const params = { sessionId }
  await callEndpoint(sessionOperations.create, { body: { agentId: 'acme', sessionId } })
  await callEndpoint(sessionOperations.send, { params, body: { text: `One ${secretWord}, please.` } })
  await callEndpoint(externalOperations.callback, {
    params,
    raw: `One ${secretWord} it is.`,
    headers: { 'idempotency-key': `reply-${secretWord}` }
  })
  await allSent(world.sql)
  return world.reopen(sessionId)
}

/** Waits until nothing is under way to another system. */
const allSent = (sql: Pool) =>
  expect.poll(() => sql`select id from deliveries where state = 'pending'`, { timeout: 30_000 }).toEqual([])

/** The tables of a database, ours and the queue's, as `schema.table`. */
export const tablesOf = async (sql: Pool): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE' order by 1`
  ).map(({ name }) => name)

/**
 * The tables in which a word stands, in whatever column. Requests a minute are counted under names; those counts are swept
 * by their own clock, within the hour.
 */
export async function tablesWith(sql: Pool, word: string): Promise<string[]> {
  const found: string[] = []
  for (const table of await tablesOf(sql)) {
    if (table === 'public.rate_limits') continue
    const [row] = await sql`select from ${sql(table)} t where strpos(to_jsonb(t)::text, ${word}) > 0 limit 1`
    if (row !== undefined) found.push(table)
  }
  return found
}

/** Moves all that has happened in a session into the past. */
export async function age(sql: Pool, { key }: TestSession, days: number): Promise<void> {
  await sql`
    update sessions set active_at = active_at - make_interval(days => ${days}),
      created_at = created_at - make_interval(days => ${days}) where key = ${key}`
  await sql`update events set at = at - make_interval(days => ${days}) where session_key = ${key}`
}
