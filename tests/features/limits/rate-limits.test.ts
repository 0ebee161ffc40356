import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { rateLimitsWith } from '#lib/features/limits/rate-limits.ts'
import { limitSignIn } from '#lib/http/limit-sign-in.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { clientAddress, peerHeader } from '#lib/http/request/client-address.ts'
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** A world with an external agent, whose sessions cost nothing. */
async function acme(settings: Record<string, string>) {
  const world = await testWorld({ settings })
  const external = { inputUrl: 'https://acme.example/in' }
  const config = { agentId: 'acme', displayName: 'Acme', type: 'external', external }
  await createAgent(world.ctx, AgentConfig.parse(config))
  return world
}

const keyOf = async (world: Awaited<ReturnType<typeof testWorld>>, name: string) =>
  (await createKey(world.ctx, { name, role: 'operator' })).secret

const times = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let n = 0; n < count; n++) done.push(await work())
  return done
}

test('an API key that asks too often is told 429 and when to come back; another key is not', async () => {
  const world = await testWorld({ settings: { WAYSTATION_LIMIT_KEY: '4' } })
  const [busy, calm] = [await keyOf(world, 'busy'), await keyOf(world, 'calm')]
  const list = (secret: string) =>
    requestEndpoint(sessionOperations.list, { headers: { authorization: `Bearer ${secret}` } })
  expect((await times(4, () => list(busy))).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const refused = await list(busy)
  expect(refused.status).toBe(429)
  const body = await refused.json()
  expect(body).toEqual({
    code: 'RATE_LIMITED',
    error: expect.stringMatching(/\b4\b.*\b\d+ s\./),
    retryAfter: expect.any(Number)
  })
  expect(body.retryAfter).toBeGreaterThan(0)
  expect(body.retryAfter).toBeLessThanOrEqual(60)
  expect(refused.headers.get('retry-after')).toBe(String(body.retryAfter))
  expect((await list(calm)).status).toBe(200)
})

test('all processes of a server count together, and a minute later everybody begins anew', async () => {
  const { sql } = await testWorld()
  const none = { subject: 0, callback: 0, answer: 0, signIn: 0, unauthenticated: 0, outOfBand: 0 }
  const most = { ...none, key: 5 }
  const [one, other] = [rateLimitsWith(sql, most), rateLimitsWith(sql, most)]
  const asked = Array.from({ length: 8 }, (_, n) => (n % 2 ? one : other)('key', 'key_1'))
  const results = await Promise.allSettled(asked)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))).toEqual(
    Array(3).fill('RATE_LIMITED')
  )
  await sql`update rate_limits set expire = ${Date.now() - 1}`
  const third = rateLimitsWith(sql, most)
  await third('key', 'key_1')
  await expect(third('subject', 'nobody counts this')).resolves.toBeUndefined()
})

test('an end user is counted over all their sessions, other users and other workspaces apart', async () => {
  const world = await acme({ WAYSTATION_LIMIT_SUBJECT: '3' })
  const look = async (sessionId: string, subject: string) => {
    const body = { subject, scopes: ['read'] }
    const made = await callEndpoint(tokenOperations.create, { params: { sessionId }, body })
    const token = String(made.body.token)
    return () =>
      requestEndpoint(sessionOperations.get, {
        params: { sessionId },
        headers: { authorization: `Bearer ${token}` }
      })
  }
  for (const sessionId of ['one', 'two']) await createSession(world.ctx, { agentId: 'acme', sessionId })
  const [here, there, hers] = [await look('one', 'ada'), await look('two', 'ada'), await look('two', 'grace')]
  expect([await here(), await there(), await here(), await there()].map(({ status }) => status)).toEqual([
    200, 200, 200, 429
  ])
  expect((await hers()).status).toBe(200)
})

test('a callback link that is used too often is told 429, and nothing is kept of it; other sessions go on', async () => {
  const world = await acme({ WAYSTATION_LIMIT_CALLBACK: '3' })
  const replyTo = async (sessionId: string) => {
    await createSession(world.ctx, { agentId: 'acme', sessionId })
    const { callbackUrl } = await callbackLinkOf(world.ctx, { sessionId })
    const query = { token: new URL(callbackUrl).searchParams.get('token') ?? '' }
    return (raw: string) =>
      requestEndpoint(externalOperations.callback, { params: { sessionId }, query, raw })
  }
  const [busy, calm] = [await replyTo('busy'), await replyTo('calm')]
  for (const text of ['one', 'two', 'three']) expect((await busy(text)).status).toBe(200)
  const refused = await busy('four')
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await getSession(world.ctx, { sessionId: 'busy' })).messages).toHaveLength(3)
  expect((await calm('one')).status).toBe(200)
})

test('a forged callback link uses up nobody’s limit', async () => {
  const world = await acme({ WAYSTATION_LIMIT_CALLBACK: '1' })
  await createSession(world.ctx, { agentId: 'acme', sessionId: 's' })
  const token = new URL((await callbackLinkOf(world.ctx, { sessionId: 's' })).callbackUrl).searchParams.get(
    'token'
  )
  const reply = (secret: string) =>
    requestEndpoint(externalOperations.callback, {
      params: { sessionId: 's' },
      query: { token: secret },
      raw: 'hi'
    })
  const forged = `${token?.slice(0, -4)}AAAA`
  expect((await times(3, () => reply(forged))).map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await reply(token ?? '')).status).toBe(200)
})

test('22 S22: a request that came by a proxy which nobody trusts is warned of once', async () => {
  await testWorld()
  const lines: string[] = []
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = ((chunk: string) => lines.push(chunk) > 0) as typeof process.stderr.write
  onTestFinished(() => void Object.assign(process.stderr, { write }))
  const of = (headers: Record<string, string>) =>
    clientAddress(new Headers({ [peerHeader]: '10.0.0.2', ...headers }))
  const warnings = () => lines.filter(line => line.includes('WAYSTATION_TRUSTED_PROXIES')).length
  expect([of({}), warnings()]).toEqual(['10.0.0.2', 0])
  // The server itself adds this header when there is no proxy.
  expect([of({ 'x-forwarded-for': '10.0.0.2' }), warnings()]).toEqual(['10.0.0.2', 0])
  for (let n = 0; n < 3; n++) expect(of({ 'x-forwarded-for': '6.6.6.6' })).toBe('10.0.0.2')
  expect(warnings()).toBe(1)
})

test('attempts to sign in from one address are limited; a client cannot lend itself another address', async () => {
  await testWorld({
    settings: { WAYSTATION_LIMIT_SIGN_IN: '3', WAYSTATION_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.1' }
  })
  const door = limitSignIn(async () => new Response('in'))
  const attempt = (headers: Record<string, string>, path = 'signin/github') =>
    door(new Request(`http://localhost:3000/api/auth/${path}`, { method: 'POST', headers }))
  const from = (peer: string, forwarded = '') => ({ [peerHeader]: peer, 'x-forwarded-for': forwarded })
  const direct = await times(3, () => attempt(from('93.184.216.34')))
  expect(direct.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await attempt(from('93.184.216.34', '8.8.8.8'))
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await attempt(from('1.1.1.1'))).status).toBe(200)
  // Of a proxy that is not trusted, also a private one, nothing is believed.
  await times(3, () => attempt(from('192.168.1.2', '5.5.5.5')))
  expect((await attempt(from('192.168.1.2', '4.4.4.4'))).status).toBe(429)
  // Behind a trusted proxy the address it saw counts, which stands last; behind two of them the one before.
  await times(3, () => attempt(from('10.0.0.2', '6.6.6.6, 9.9.9.9')))
  expect((await attempt(from('10.0.0.2', '7.7.7.7, 9.9.9.9'))).status).toBe(429)
  expect((await attempt(from('10.0.0.2', '9.9.9.9, 8.8.4.4'))).status).toBe(200)
  expect((await attempt(from('10.0.0.2', '9.9.9.9, 192.168.1.1'))).status).toBe(429)
  // Whoever has an IPv6 address has its whole /64.
  await times(3, () => attempt(from('2606:4700:1:2::1')))
  expect((await attempt(from('2606:4700:1:2:aaaa::7'))).status).toBe(429)
  expect((await attempt(from('2606:4700:1:3::1'))).status).toBe(200)
  // Some proxies write the port as well.
  expect((await attempt(from('10.0.0.2', '9.9.9.9:4711'))).status).toBe(429)
  expect((await attempt(from('10.0.0.2', '[2606:4700:1:2::1]:4711'))).status).toBe(429)
  // What is no attempt is not counted.
  expect((await attempt(from('93.184.216.34'), 'csrf')).status).toBe(200)
})
