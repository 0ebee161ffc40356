import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { limitSignIn } from '#lib/http/limit-sign-in.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { clientAddress, peerHeader } from '#lib/http/request/client-address.ts'
import { rateLimitsWith } from '#lib/infra/rate-limits.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server with an external agent whose sessions cost nothing. */
async function acme(settings: Record<string, string>) {
  const server = await startTestServer({ settings })
  const external = { inputUrl: 'https://acme.example/in' }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(server.ctx, AgentConfig.parse(config))
  return server
}

const keyOf = async (server: Awaited<ReturnType<typeof startTestServer>>, name: string) =>
  (await createKey(server.ctx, { name, role: 'operator' })).secret

const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let n = 0; n < count; n++) done.push(await work())
  return done
}

test('an API key that exceeds its limit gets 429 and the time to retry; another key is not affected', async () => {
  const server = await startTestServer({ settings: { WAYSTATION_LIMIT_KEY: '4' } })
  const [busy, otherKey] = [await keyOf(server, 'busy'), await keyOf(server, 'calm')]
  const list = (secret: string) =>
    requestEndpoint(sessionOperations.list, { headers: { authorization: `Bearer ${secret}` } })
  expect((await times(4, () => list(busy))).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const rejected = await list(busy)
  expect(rejected.status).toBe(429)
  const body = await rejected.json()
  expect(body).toEqual({
    code: 'RATE_LIMITED',
    error: expect.stringMatching(/\b4\b.*\b\d+ s\./),
    retryAfter: expect.any(Number)
  })
  expect(body.retryAfter).toBeGreaterThan(0)
  expect(body.retryAfter).toBeLessThanOrEqual(60)
  expect(rejected.headers.get('retry-after')).toBe(String(body.retryAfter))
  expect((await list(otherKey)).status).toBe(200)
})

test('all processes of a server share their counters, which start again after a minute', async () => {
  const { sql } = await startTestServer()
  const noLimits = {
    subject: 0,
    callback: 0,
    openCall: 0,
    accountRequest: 0,
    answer: 0,
    signIn: 0,
    unauthenticated: 0,
    outOfBand: 0
  }
  const keyLimit = { ...noLimits, key: 5 }
  const [first, other] = [rateLimitsWith(sql, keyLimit), rateLimitsWith(sql, keyLimit)]
  const responses = Array.from({ length: 8 }, (_, n) => (n % 2 ? first : other)('key', 'key_1'))
  const results = await Promise.allSettled(responses)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))).toEqual(
    Array(3).fill('RATE_LIMITED')
  )
  await sql`update rate_limits set expire = ${Date.now() - 1}`
  const third = rateLimitsWith(sql, keyLimit)
  await third('key', 'key_1')
  await expect(third('subject', 'nobody counts this')).resolves.toBeUndefined()
})

test('an end user is counted over all their sessions, separately from other users and other workspaces', async () => {
  const server = await acme({ WAYSTATION_LIMIT_SUBJECT: '3' })
  const readAs = async (sessionId: string, subject: string) => {
    const body = { subject, scopes: ['read'] }
    const created = await callEndpoint(tokenOperations.create, { params: { sessionId }, body })
    const token = String(created.body.token)
    return () =>
      requestEndpoint(sessionOperations.get, {
        params: { sessionId },
        headers: { authorization: `Bearer ${token}` }
      })
  }
  for (const sessionId of ['one', 'two']) await createSession(server.ctx, { agentId: 'acme', sessionId })
  const [adaHere, adaThere, eveHere] = [
    await readAs('one', 'ada'),
    await readAs('two', 'ada'),
    await readAs('two', 'grace')
  ]
  expect(
    [await adaHere(), await adaThere(), await adaHere(), await adaThere()].map(({ status }) => status)
  ).toEqual([200, 200, 200, 429])
  expect((await eveHere()).status).toBe(200)
})

test('a callback link that exceeds its limit gets 429, and its reply is not stored; other sessions continue', async () => {
  const server = await acme({ WAYSTATION_LIMIT_CALLBACK: '3' })
  const replyTo = async (sessionId: string) => {
    await createSession(server.ctx, { agentId: 'acme', sessionId })
    const { callbackUrl } = await callbackLinkOf(server.ctx, { sessionId })
    const query = { token: new URL(callbackUrl).searchParams.get('token') ?? '' }
    return (raw: string) =>
      requestEndpoint(externalOperations.callback, { params: { sessionId }, query, raw })
  }
  const [busy, calm] = [await replyTo('busy'), await replyTo('calm')]
  for (const text of ['one', 'two', 'three']) expect((await busy(text)).status).toBe(200)
  const rejected = await busy('four')
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await getSession(server.ctx, { sessionId: 'busy' })).messages).toHaveLength(3)
  expect((await calm('one')).status).toBe(200)
})

test('a forged callback link does not use the limit of the genuine one', async () => {
  const server = await acme({ WAYSTATION_LIMIT_CALLBACK: '1' })
  await createSession(server.ctx, { agentId: 'acme', sessionId: 's' })
  const token = new URL((await callbackLinkOf(server.ctx, { sessionId: 's' })).callbackUrl).searchParams.get(
    'token'
  )
  const reply = (secret: string) =>
    requestEndpoint(externalOperations.callback, {
      params: { sessionId: 's' },
      query: { token: secret },
      raw: 'hi'
    })
  const forgedToken = `${token?.slice(0, -4)}AAAA`
  expect((await times(3, () => reply(forgedToken))).map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await reply(token ?? '')).status).toBe(200)
})

test('22 S22: the server warns once of requests through an untrusted proxy', async () => {
  await startTestServer()
  const lines: string[] = []
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = ((chunk: string) => lines.push(chunk) > 0) as typeof process.stderr.write
  onTestFinished(() => void Object.assign(process.stderr, { write }))
  const clientIpOf = (headers: Record<string, string>) =>
    clientAddress(new Headers({ [peerHeader]: '10.0.0.2', ...headers }))
  const warnings = () => lines.filter(line => line.includes('WAYSTATION_TRUSTED_PROXIES')).length
  expect([clientIpOf({}), warnings()]).toEqual(['10.0.0.2', 0])
  // The server itself adds this header when there is no proxy.
  expect([clientIpOf({ 'x-forwarded-for': '10.0.0.2' }), warnings()]).toEqual(['10.0.0.2', 0])
  for (let n = 0; n < 3; n++) expect(clientIpOf({ 'x-forwarded-for': '6.6.6.6' })).toBe('10.0.0.2')
  expect(warnings()).toBe(1)
})

test('attempts to sign in from one address are limited, and a client cannot choose another address', async () => {
  await startTestServer({
    settings: { WAYSTATION_LIMIT_SIGN_IN: '3', WAYSTATION_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.1' }
  })
  const limitedSignIn = limitSignIn(async () => new Response('in'))
  const attempt = (headers: Record<string, string>, path = 'signin/github') =>
    limitedSignIn(new Request(`http://localhost:3000/api/auth/${path}`, { method: 'POST', headers }))
  const headersFrom = (peer: string, forwarded = '') => ({ [peerHeader]: peer, 'x-forwarded-for': forwarded })
  const direct = await times(3, () => attempt(headersFrom('93.184.216.34')))
  expect(direct.map(({ status }) => status)).toEqual([200, 200, 200])
  const rejected = await attempt(headersFrom('93.184.216.34', '8.8.8.8'))
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await attempt(headersFrom('1.1.1.1'))).status).toBe(200)
  // Headers of an untrusted proxy are ignored, even if its address is private.
  await times(3, () => attempt(headersFrom('192.168.1.2', '5.5.5.5')))
  expect((await attempt(headersFrom('192.168.1.2', '4.4.4.4'))).status).toBe(429)
  // Behind a trusted proxy the last address applies, which that proxy saw; behind two, the one before it.
  await times(3, () => attempt(headersFrom('10.0.0.2', '6.6.6.6, 9.9.9.9')))
  expect((await attempt(headersFrom('10.0.0.2', '7.7.7.7, 9.9.9.9'))).status).toBe(429)
  expect((await attempt(headersFrom('10.0.0.2', '9.9.9.9, 8.8.4.4'))).status).toBe(200)
  expect((await attempt(headersFrom('10.0.0.2', '9.9.9.9, 192.168.1.1'))).status).toBe(429)
  // An IPv6 client is counted by its /64 network.
  await times(3, () => attempt(headersFrom('2606:4700:1:2::1')))
  expect((await attempt(headersFrom('2606:4700:1:2:aaaa::7'))).status).toBe(429)
  expect((await attempt(headersFrom('2606:4700:1:3::1'))).status).toBe(200)
  // Some proxies add the port to the address.
  expect((await attempt(headersFrom('10.0.0.2', '9.9.9.9:4711'))).status).toBe(429)
  expect((await attempt(headersFrom('10.0.0.2', '[2606:4700:1:2::1]:4711'))).status).toBe(429)
  // A request that is not an attempt is not counted.
  expect((await attempt(headersFrom('93.184.216.34'), 'csrf')).status).toBe(200)
})
