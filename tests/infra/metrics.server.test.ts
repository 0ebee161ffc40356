import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { operations } from '#lib/http/operations/all.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const metrics = operations.find(({ id }) => id === 'metrics')!
const scrape = async (secret = 'the-admin-key-of-every-test') => {
  const response = await requestEndpoint(metrics, { headers: { authorization: `Bearer ${secret}` } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

/** Returns a sample's value, or undefined if there is none. `labels` as printed. */
const sample = (text: string, name: string, labels = ''): number | undefined => {
  const line = text.split('\n').find(line => line.startsWith(`${name}${labels} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

/** Metrics are cached for five seconds, so this starts a second server, which has none cached. */
const freshMetrics = async (server: TestServer) => {
  await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  return (await scrape()).text
}

test('only owners of the default workspace can read metrics', async () => {
  const server = await startTestServer()
  expect((await scrape()).status).toBe(200)
  expect((await scrape()).type).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await scrape('way_wrong')).status).toBe(401)
  expect((await requestEndpoint(metrics)).status).toBe(401)
  const editor = await createKey(server.ctx, { name: 'editor', role: 'editor' })
  expect((await scrape(editor.secret)).status).toBe(403)
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'x')`
  const stranger = await createKey(server.actAs('Eve', 'other'), { name: 'eve', role: 'owner' })
  expect((await scrape(stranger.secret)).status).toBe(403)
})

test('metrics count open calls by kind and show the age of the oldest one', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  await session.waitForCall('ask-question')
  await server.advanceTime(7200)
  const text = await freshMetrics(server)
  expect(sample(text, 'waystation_calls_open', '{kind="question"}')).toBe(1)
  expect(sample(text, 'waystation_calls_open', '{kind="approval"}')).toBe(0)
  expect(sample(text, 'waystation_call_oldest_seconds')).toBeGreaterThan(7199)
  expect(sample(text, 'waystation_workers_alive')).toBe(1)
  expect(sample(text, 'waystation_turns_running')).toBe(0)
  expect(sample(text, 'waystation_sessions_owed')).toBe(0)
  expect(sample(text, 'waystation_database_up')).toBe(1)
})

test('a session without a worker counts towards the lag, and one whose worker died is lost', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  await server.stopServer()
  const { ctx } = await server.startSecondServer({ WAYSTATION_ROLE: 'web' })
  await (await server.reopenSession(session.id, ctx)).send('hello')
  const { key } = session
  await ctx.sql`update inbox set created_at = created_at - interval '90 seconds' where session_key = ${key}`
  const waiting = await freshMetrics(server)
  expect(sample(waiting, 'waystation_sessions_owed')).toBe(1)
  expect(sample(waiting, 'waystation_wake_lag_seconds')).toBeGreaterThan(89)
  expect(sample(waiting, 'waystation_workers_alive')).toBe(0)

  await ctx.sql`update heads set owner = 'worker_gone' where session_key = ${key}`
  const metricsOfLost = await freshMetrics(server)
  expect(sample(metricsOfLost, 'waystation_sessions_lost')).toBe(1)
  expect(sample(metricsOfLost, 'waystation_sessions_owed')).toBe(0)
})

test('a delivery without further attempts is a dead letter', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  await server.sql`
    insert into deliveries (id, workspace_id, session_key, kind, url, body, state)
    values ('dead', 'default', ${session.key}, 'webhook', 'http://x', '{}', 'failed'),
      ('late', 'default', ${session.key}, 'webhook', 'http://x', '{}', 'pending')`
  const text = await freshMetrics(server)
  expect(sample(text, 'waystation_deliveries_dead')).toBe(1)
  expect(sample(text, 'waystation_deliveries_pending')).toBe(1)
})

test('metrics count turns, steps, tokens, settled calls and wake-ups as they happen', async () => {
  const server = await startTestServer()
  const counts = async () => {
    const { text } = await scrape()
    return {
      parked: sample(text, 'waystation_turns_total', '{outcome="parked"}') ?? 0,
      done: sample(text, 'waystation_turns_total', '{outcome="done"}') ?? 0,
      steps: sample(text, 'waystation_steps_total', '{outcome="committed"}') ?? 0,
      tokens: sample(text, 'waystation_model_tokens_total', '{direction="in"}') ?? 0,
      settled: sample(text, 'waystation_calls_settled_total', '{kind="question",state="answered"}') ?? 0,
      taken: sample(text, 'waystation_wake_seconds_count') ?? 0
    }
  }
  const before = await counts()
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const call = await session.waitForCall('ask-question')
  const ended = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await session.answer(call, { output: { answer: 'tea' } })
  await ended
  const after = await counts()
  expect(after.parked - before.parked).toBe(1)
  expect(after.done - before.done).toBe(1)
  expect(after.steps - before.steps).toBe(2)
  expect(after.tokens - before.tokens).toBeGreaterThan(10)
  expect(after.settled - before.settled).toBe(1)
  expect(after.taken - before.taken).toBe(2)
})

test('every process has metrics, also a worker, and requests are counted by route and never by URL', async () => {
  const { url } = await createDatabase()
  const shared = {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64')
  }
  await using stack = new AsyncDisposableStack()
  const start = async (WAYSTATION_ROLE: string) => {
    const server = await startServer({ ...shared, WAYSTATION_ROLE })
    stack.defer(() => server.stop())
    return server
  }
  const web = await start('web')
  const worker = await start('worker')
  const auth = { headers: { authorization: `Bearer ${web.apiKey}` } }
  expect((await fetch(`${worker.url}/metrics`)).status).toBe(401)
  const workerMetrics = await (await fetch(`${worker.url}/metrics`, auth)).text()
  expect(sample(workerMetrics, 'waystation_workers_alive')).toBe(1)
  expect(sample(workerMetrics, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)

  await fetch(`${web.url}/api/sessions/some-session`, auth)
  await fetch(`${web.url}/external/calls/default~1~1~call_x~${'A'.repeat(43)}`, {
    method: 'POST',
    body: '{}'
  })
  const webMetrics = await (await fetch(`${web.url}/metrics`, auth)).text()
  expect(webMetrics).toContain(
    'waystation_http_request_seconds_count{method="GET",route="/api/sessions/{sessionId}",status="404"} 1'
  )
  expect(webMetrics).toMatch(
    /_count\{method="POST",route="\/external\/calls\/\{capability\}",status="4\d\d"\} 1/
  )
  expect(webMetrics).not.toContain('some-session')
  expect(webMetrics).not.toContain('AAAA')
}, 120_000)
