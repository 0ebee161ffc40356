import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const shop = 'https://shop.example'
const friend = 'https://friend.example'
const evil = 'https://evil.example'
const adminKey = 'the-admin-key-of-every-test'

/**
 * Starts a server whose workspace allows the shop, and another workspace that allows a friend. Creates a session
 * with a token.
 */
async function startEmbedded() {
  const server = await startTestServer()
  await allow(server, 'default', [shop, 'http://shop.example:8080'])
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  await allow(server, 'other', [friend])
  const { id } = await server.startSession()
  const url = await serveApi()
  const request = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const created = await request('POST', `/api/sessions/${id}/tokens`, bearer(adminKey), {
    subject: 'ada',
    scopes: ['read', 'send', 'answer']
  })
  const { token, tokenId } = (await created.json()) as { token: string; tokenId: string }
  return { server, id, session: `/api/sessions/${id}`, request, token, tokenId }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const allow = ({ sql }: Pick<TestServer, 'sql'>, workspaceId: string, origins: string[]) =>
  sql`update workspaces set allowed_origins = ${origins}::jsonb where id = ${workspaceId}`

/** Returns the CORS headers of a response, without their common prefix. */
const corsOf = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      name.startsWith('access-control-') ? [[name.slice('access-control-'.length), value]] : []
    )
  )

test('a token works on a page of an allowed origin, which can read the responses, including errors', async () => {
  const { session, request, token } = await startEmbedded()
  const fromShop = { ...bearer(token), origin: shop }
  const readable = { 'allow-origin': shop, 'expose-headers': 'retry-after, waystation-uptime' }
  const view = await request('GET', session, fromShop)
  expect({ status: view.status, cors: corsOf(view), vary: view.headers.get('vary') }).toEqual({
    status: 200,
    cors: readable,
    vary: 'Origin'
  })
  const sent = await request('POST', `${session}/messages`, fromShop, { text: 'say hello' })
  expect({ status: sent.status, cors: corsOf(sent) }).toEqual({ status: 202, cors: readable })
  const empty = await request('POST', `${session}/messages`, fromShop, { text: ' ' })
  expect({ status: empty.status, cors: corsOf(empty) }).toEqual({ status: 400, cors: readable })
  const otherSession = await request('GET', '/api/sessions/another', fromShop)
  expect({ status: otherSession.status, cors: corsOf(otherSession) }).toEqual({ status: 404, cors: readable })
  const events = await request('GET', `${session}/events`, fromShop)
  expect({ status: events.status, cors: corsOf(events) }).toEqual({ status: 200, cors: readable })
  await events.body?.cancel()
})

test.each([
  evil,
  friend,
  'http://shop.example',
  'https://shop.example:8443',
  'https://shop.example.evil.example',
  'https://www.shop.example',
  'null'
])(
  'a token on a page of %s, which its workspace does not allow, is 403 FOREIGN_ORIGIN, and the page cannot read it',
  async origin => {
    const { server, session, request, token } = await startEmbedded()
    for (const [method, path, body] of [
      ['GET', session],
      ['GET', `${session}/events`],
      ['POST', `${session}/messages`, { text: 'hi' }]
    ] as const) {
      const response = await request(method, path, { ...bearer(token), origin }, body)
      expect({ status: response.status, cors: corsOf(response) }, path).toEqual({ status: 403, cors: {} })
      expect(await response.json()).toMatchObject({ code: 'FOREIGN_ORIGIN' })
    }
    expect(await server.sql`select from messages`).toEqual([])
  }
)

test('a server needs no Origin, and our own pages can use a token', async () => {
  const { session, request, token } = await startEmbedded()
  const server = await request('GET', session, bearer(token))
  expect({ status: server.status, cors: corsOf(server) }).toEqual({ status: 200, cors: {} })
  const ownPage = await request('GET', session, { ...bearer(token), origin: 'http://localhost:3000' })
  expect({ status: ownPage.status, cors: corsOf(ownPage) }).toEqual({ status: 200, cors: {} })
})

test('requests with a key or a cookie get no CORS headers from any origin', async () => {
  const { session, request } = await startEmbedded()
  const key = await request('GET', session, { ...bearer(adminKey), origin: shop })
  expect({ status: key.status, cors: corsOf(key) }).toEqual({ status: 200, cors: {} })
  const cookie = await request('GET', session, { cookie: 'waystation.session=x', origin: shop })
  expect({ status: cookie.status, cors: corsOf(cookie) }).toEqual({ status: 401, cors: {} })
})

test('only pages of allowed origins can read that a token is no longer valid', async () => {
  const { server, session, request, token } = await startEmbedded()
  await server.sql`update session_tokens set revoked_at = clock_timestamp()`
  const allowedOriginOf = async (origin: string) => {
    const response = await request('GET', session, { ...bearer(token), origin })
    expect(response.status).toBe(401)
    return corsOf(response)['allow-origin']
  }
  expect(await allowedOriginOf(shop)).toBe(shop)
  expect(await allowedOriginOf(evil)).toBeUndefined()
})

test('a preflight succeeds for origins that any workspace allows, never with credentials, and others get no CORS headers', async () => {
  const { session, request } = await startEmbedded()
  const preflight = async (origin: string, path = `${session}/messages`) => {
    const response = await request('OPTIONS', path, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type'
    })
    expect(response.headers.get('vary')).toBe('Origin')
    return { status: response.status, cors: corsOf(response) }
  }
  const allowed = (origin: string) => ({
    status: 204,
    cors: {
      'allow-origin': origin,
      'allow-methods': 'GET, POST, DELETE',
      'allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
      'max-age': '600'
    }
  })
  expect(await preflight(shop)).toEqual(allowed(shop))
  expect(await preflight(friend)).toEqual(allowed(friend))
  for (const origin of [evil, 'null', 'http://shop.example', '*', '', 'https://shop.example/'])
    expect(await preflight(origin), origin).toEqual({ status: 204, cors: {} })
  // Before the token arrives, the session ID reveals nothing.
  expect(await preflight(shop, '/api/sessions/unknown/messages')).toEqual(allowed(shop))
})

test('a workspace starts without allowed origins, its owner sets them, and they apply to that workspace only', async () => {
  const server = await startTestServer()
  const { get, update } = workspaceOperations
  expect(await callEndpoint(get)).toMatchObject({
    status: 200,
    body: { id: 'default', name: expect.any(String), allowedOrigins: [] }
  })
  const allowedOrigins = [shop, 'http://localhost:5173', 'https://[::1]:8443', shop]
  const saved = await callEndpoint(update, { body: { allowedOrigins } })
  expect(saved).toMatchObject({ status: 200, body: { allowedOrigins: allowedOrigins.slice(0, 3) } })
  expect((await callEndpoint(get)).body).toEqual(saved.body)
  await server.sql`insert into workspaces (id, name, link_secret) values ('other', 'Other', 'secret')`
  const eve = await createKey(server.actAs('Eve', 'other'), { name: 'Eve', role: 'owner' })
  expect((await callEndpoint(get, {}, eve.secret)).body).toMatchObject({ id: 'other', allowedOrigins: [] })
  await callEndpoint(update, { body: { allowedOrigins: [friend] } }, eve.secret)
  expect((await callEndpoint(get)).body).toEqual(saved.body)
})

test.each([
  ['https://shop.example/', 'must be written as https://shop.example'],
  ['https://Shop.Example', 'must be written as https://shop.example'],
  ['https://shop.example:443', 'must be written as https://shop.example'],
  ['https://shop.example/cart', 'must be written as https://shop.example'],
  ['https://ada:pw@shop.example', 'must be written as https://shop.example'],
  ['https://bücher.example', 'must be written as https://xn--bcher-kva.example'],
  ['https://*.shop.example', 'must be a single origin without a wildcard'],
  ['*', 'must be a single origin without a wildcard'],
  ['null', 'must be a scheme and a host, like https://shop.example'],
  ['shop.example', 'must be a scheme and a host, like https://shop.example'],
  ['javascript:alert(1)', 'must be a scheme and a host, like https://shop.example'],
  ['file:///etc/passwd', 'must be a scheme and a host, like https://shop.example'],
  ['', 'must be a scheme and a host, like https://shop.example']
])('"%s" is not an origin: 422 names the correct form, and nothing is saved', async (origin, advice) => {
  await startTestServer()
  const { status, body } = await callEndpoint(workspaceOperations.update, {
    body: { allowedOrigins: [shop, origin] }
  })
  expect({ status, fields: body.fields }).toEqual({ status: 422, fields: { 'allowedOrigins.1': advice } })
  expect((await callEndpoint(workspaceOperations.get)).body.allowedOrigins).toEqual([])
})

test('a workspace can allow at most fifty origins', async () => {
  await startTestServer()
  const withOrigins = (n: number) => ({
    body: { allowedOrigins: Array.from({ length: n }, (_, i) => `https://shop-${i}.example`) }
  })
  expect((await callEndpoint(workspaceOperations.update, withOrigins(50))).status).toBe(200)
  expect((await callEndpoint(workspaceOperations.update, withOrigins(51))).status).toBe(422)
})
