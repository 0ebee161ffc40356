import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { members, users } from '#db/schema/workspaces.ts'
import { operation } from '#lib/http/operation.ts'
import { ownOrigins } from '#lib/http/request/check-origin.ts'
import { route } from '#lib/http/route.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { adminKey, withRuntime } from '#tests/support/servers/test-runtime.ts'

const server = withRuntime()
let cookie = ''

beforeAll(async () => {
  await server.runtime.db.insert(users).values({ id: 'ada', name: 'Ada' })
  await server.runtime.db.insert(members).values({ workspaceId: 'default', userId: 'ada', role: 'operator' })
  cookie = await signInCookie(server.runtime, 'ada')
})

const endpoint = (method: 'GET' | 'POST', scope: 'read' | 'own' = 'read') =>
  route(
    operation({
      id: 'door',
      method,
      path: '/api/door',
      summary: 'A door',
      actor: 'user',
      scope,
      input: z.object({}),
      answer: z.object({})
    }),
    async () => ({})
  )

async function request(
  headers: Record<string, string>,
  { method = 'POST' as 'GET' | 'POST', scope = 'read' as 'read' | 'own' } = {}
) {
  const response = await endpoint(method, scope)(
    new Request('http://localhost:3000/api/door', { method, headers }),
    {}
  )
  return { status: response.status, code: (await response.json()).code }
}

test.each<Record<string, string>>([
  { origin: 'http://localhost:3000' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://127.0.0.1:3000' },
  { 'sec-fetch-site': 'same-origin' }
])('a change from one of our own pages is accepted: %j', async headers => {
  expect(await request({ cookie, ...headers })).toEqual({ status: 200, code: undefined })
})

test.each<Record<string, string>>([
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3001' },
  { origin: 'https://localhost:3000' },
  { origin: 'http://localhost:3000.evil.example' },
  { origin: 'http://evil.example:3000', host: 'evil.example:3000', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }
])('a change with a cookie from another origin is 403 FOREIGN_ORIGIN: %j', async headers => {
  expect(await request({ cookie, ...headers })).toEqual({ status: 403, code: 'FOREIGN_ORIGIN' })
})

test('reads need no origin check, and requests with an API key never do', async () => {
  expect(await request({ cookie }, { method: 'GET' })).toMatchObject({ status: 200 })
  expect(
    await request({ authorization: `Bearer ${adminKey}`, origin: 'https://evil.example' })
  ).toMatchObject({
    status: 200
  })
})

test('without a credential, the response is 401 for any origin', async () => {
  expect(await request({ origin: 'https://evil.example' })).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
})

test('a role that does not cover the operation is 403 FORBIDDEN', async () => {
  const headers = { cookie, origin: 'http://localhost:3000' }
  expect(await request(headers, { scope: 'own' })).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test('loopback names are own origins in local mode only', () => {
  expect(ownOrigins('https://way.example', false)).toEqual(['https://way.example'])
  expect(ownOrigins('http://localhost:80', true)).toContain('http://127.0.0.1')
})
