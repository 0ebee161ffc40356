import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Sql } from '#db/client.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { tokenActor } from '#lib/auth/tokens/token-actor.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server with these limits, a session, and functions that open its streams. */
async function serverWithLimits(settings: Record<string, string>) {
  const server = await startTestServer({ settings })
  const { id: sessionId } = await server.startSession()
  const url = await serveApi()
  const tokenOf = async (subject: string) => {
    const tokenInput = { sessionId, subject, scopes: ['read' as const, 'send' as const], ttlSeconds: 60 }
    const { token } = await createToken(server.ctx, tokenInput)
    return { authorization: `Bearer ${token}` }
  }
  /** Opens one more stream, and returns its status and a function that closes it. */
  const open = async (headers: Record<string, string>, path = `/api/sessions/${sessionId}/events`) => {
    const abortController = new AbortController()
    onTestFinished(() => abortController.abort())
    const response = await fetch(url + path, { headers, signal: abortController.signal })
    return {
      status: response.status,
      headers: response.headers,
      close: () => abortController.abort(),
      response
    }
  }
  const statusOf = async (...args: Parameters<typeof open>) => (await open(...args)).status
  /** Opens a socket, sends hello, and returns the socket, the first frame and the close code. */
  const hello = async (headers: Record<string, string>) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const closed = once(socket, 'close')
    socket.send(JSON.stringify({ type: 'hello', sessionId }))
    const [first] = await once(socket, 'message')
    const frame = JSON.parse(String(first)) as { type: string; code?: string }
    return { socket, frame, closed: closed.then(([code]) => Number(code)) }
  }
  return { ...server, sessionId, url, tokenOf, open, statusOf, hello }
}

test('22 A4: the open streams of a session token are limited, including sockets and exports; one more gets 429, or 1013', async () => {
  const { tokenOf, open, statusOf, hello, sessionId } = await serverWithLimits({
    WAYSTATION_STREAMS_TOKEN: '2'
  })
  const [ada, otherToken] = [await tokenOf('ada'), await tokenOf('eve')]
  const first = await open(ada)
  const { socket, frame } = await hello(ada)
  expect([first.status, frame.type]).toEqual([200, 'session_ready'])
  const rejected = await open(ada)
  expect([rejected.status, Number(rejected.headers.get('retry-after'))]).toEqual([429, 5])
  expect(await rejected.response.json()).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 })
  expect(await statusOf(ada, `/api/sessions/${sessionId}/export`)).toBe(429)
  expect(await statusOf(ada, `/api/chat/${sessionId}/stream`)).toBe(429)
  const refusedHello = await hello(ada)
  expect([refusedHello.frame.code, await refusedHello.closed]).toEqual(['RATE_LIMITED', 1013])
  expect(await statusOf(otherToken)).toBe(200)
  // A second hello on the same socket does not count again.
  const secondHello = new Promise(resolve => {
    socket.on('message', data => JSON.parse(String(data)).re === 'again' && resolve(JSON.parse(String(data))))
  })
  socket.send(JSON.stringify({ type: 'hello', id: 'again', sessionId }))
  expect(await secondHello).toMatchObject({ type: 'session_ready' })
  // Closing a stream frees its place.
  socket.close()
  first.close()
  await expect.poll(() => statusOf(ada)).toBe(200)
  await expect.poll(async () => (await hello(ada)).frame.type).toBe('session_ready')
})

test('22 A4: a refused, empty or completed stream frees its place', async () => {
  const { tokenOf, open, statusOf, sessionId } = await serverWithLimits({ WAYSTATION_STREAMS_TOKEN: '1' })
  const ada = await tokenOf('ada')
  for (let n = 0; n < 3; n++) {
    expect(await statusOf(ada, `/api/sessions/${sessionId}/events?after=nonsense`)).toBe(422)
    expect(await statusOf(ada, `/api/chat/${sessionId}/stream`)).toBe(204)
    const exported = await open(ada, `/api/sessions/${sessionId}/export`)
    expect(await exported.response.text()).toContain('"type":"session"')
  }
  expect([await statusOf(ada), await statusOf(ada)]).toEqual([200, 429])
})

test('22 X5: the parallel exports of a reader are limited, and nothing is read ahead of a slow client', async () => {
  const { tokenOf, open, statusOf, sessionId, sql } = await serverWithLimits({ WAYSTATION_EXPORTS: '2' })
  await sql`
    insert into messages (session_key, id, pos, role, message, folded_seq, done)
    select key, 'm' || n, n, 'user', json_build_object('id', 'm' || n, 'role', 'user', 'parts',
      json_build_array(json_build_object('type', 'text', 'text', repeat('x', 20000))))::jsonb, 0, true
    from sessions, generate_series(1001, 1500) n`
  const sent = statementsOf(sql)
  const path = `/api/sessions/${sessionId}/export`
  const [ada, otherToken] = [await tokenOf('ada'), await tokenOf('eve')]
  const exports = [await open(ada, path), await open(ada, path)]
  expect([...exports.map(({ status }) => status), await statusOf(ada, path)]).toEqual([200, 200, 429])
  expect([await statusOf(ada), await statusOf(otherToken, path)]).toEqual([200, 200])
  expect(sent.filter(query => query.includes('from messages')).length).toBeLessThan(20)
  expect((await exports[0]?.response.text())?.length).toBeGreaterThan(10_000_000)
  expect((await open(ada, path)).status).toBe(200)
})

test('22 A4: the open streams of an end user are limited across all their session tokens', async () => {
  const { statusOf, tokenOf } = await serverWithLimits({ WAYSTATION_STREAMS_SUBJECT: '3' })
  const statuses: number[] = []
  for (const owner of ['eve', 'eve', 'eve', 'eve', 'bob']) statuses.push(await statusOf(await tokenOf(owner)))
  expect(statuses).toEqual([200, 200, 200, 429, 200])
})

test('22 A4: the open streams of members, API keys and the process are limited', async () => {
  const server = await serverWithLimits({
    WAYSTATION_STREAMS_MEMBER: '2',
    WAYSTATION_STREAMS_KEY: '3',
    WAYSTATION_STREAMS_PROCESS: '6'
  })
  const { ctx, sql, statusOf, tokenOf } = server
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'viewer')`
  const cookie = await signInCookie(server, 'ada')
  const keyOf = async (name: string) => {
    const { secret } = await createKey(ctx, { name, role: 'viewer' })
    return { authorization: `Bearer ${secret}` }
  }
  const [firstKey, other] = [await keyOf('one'), await keyOf('other')]
  const member = { cookie }
  const requestHeaders = [
    member,
    member,
    member,
    firstKey,
    firstKey,
    firstKey,
    firstKey,
    other,
    other,
    await tokenOf('eve')
  ]
  const statuses: number[] = []
  for (const headers of requestHeaders) statuses.push(await statusOf(headers))
  expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429, 200, 429, 429])
})

test('22 A4: simultaneous credentials are looked up with one statement, and each gives its own access', async () => {
  const { tokenOf, ctx } = await serverWithLimits({})
  const secrets = await Promise.all(
    ['ada', 'eve', 'mia', 'zoe'].map(async subject => (await tokenOf(subject)).authorization.slice(7))
  )
  const sent = statementsOf(ctx.sql)
  const actors = await Promise.all([...secrets, 'wst_wrong', ...secrets].map(tokenActor))
  const names = actors.map(actor => actor?.subject)
  expect(names).toEqual(['ada', 'eve', 'mia', 'zoe', undefined, 'ada', 'eve', 'mia', 'zoe'])
  expect(sent.filter(query => query.includes('session_tokens'))).toHaveLength(1)
})

test('22 X3: many simultaneous requests for the health of a process use one statement', async () => {
  const { ctx, url } = await serverWithLimits({})
  const sent = statementsOf(ctx.sql)
  const healthChecks = Array.from({ length: 20 }, async () => (await fetch(`${url}/api/health`)).status)
  expect(new Set(await Promise.all(healthChecks))).toEqual(new Set([200]))
  expect(sent.filter(query => query.includes('from workers')).length).toBeLessThan(5)
})

/** Records the statements that a pool sends from now on. */
function statementsOf(sql: Sql): string[] {
  const sent: string[] = []
  const { options } = sql as unknown as { options: { debug: unknown } }
  options.debug = (_: number, query: string) => sent.push(query)
  onTestFinished(() => {
    options.debug = false
  })
  return sent
}
