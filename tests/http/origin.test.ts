import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { members, users } from '#db/schema/workspaces.ts'
import { operation } from '#lib/http/operation.ts'
import { ownOrigins } from '#lib/http/request/check-origin.ts'
import { route } from '#lib/http/route.ts'
import { adminKey, withHouse } from '#tests/support/worlds/house.ts'
import { signInCookie } from '#tests/support/worlds/sign-in-cookie.ts'

const opened = withHouse()
let cookie = ''

beforeAll(async () => {
  await opened.house.db.insert(users).values({ id: 'ada', name: 'Ada' })
  await opened.house.db.insert(members).values({ workspaceId: 'default', userId: 'ada', role: 'operator' })
  cookie = await signInCookie(opened.house, 'ada')
})

const door = (method: 'GET' | 'POST', scope: 'read' | 'own' = 'read') =>
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

async function knock(
  headers: Record<string, string>,
  { method = 'POST' as 'GET' | 'POST', scope = 'read' as 'read' | 'own' } = {}
) {
  const response = await door(method, scope)(
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
])('a change from a page of ours is let in: %j', async headers => {
  expect(await knock({ cookie, ...headers })).toEqual({ status: 200, code: undefined })
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
])('a change with a cookie from elsewhere is 403 FOREIGN_ORIGIN: %j', async headers => {
  expect(await knock({ cookie, ...headers })).toEqual({ status: 403, code: 'FOREIGN_ORIGIN' })
})

test('reading needs no origin, and an API key never does', async () => {
  expect(await knock({ cookie }, { method: 'GET' })).toMatchObject({ status: 200 })
  expect(await knock({ authorization: `Bearer ${adminKey}`, origin: 'https://evil.example' })).toMatchObject({
    status: 200
  })
})

test('without a credential it is 401, whatever the origin', async () => {
  expect(await knock({ origin: 'https://evil.example' })).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
})

test('a role that does not cover the call is 403 FORBIDDEN', async () => {
  const here = { cookie, origin: 'http://localhost:3000' }
  expect(await knock(here, { scope: 'own' })).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test('loopback names are ours in local mode only', () => {
  expect(ownOrigins('https://way.example', false)).toEqual(['https://way.example'])
  expect(ownOrigins('http://localhost:80', true)).toContain('http://127.0.0.1')
})
