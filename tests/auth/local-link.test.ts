import { expect, onTestFinished, test } from 'vitest'
import { localRoute } from '#lib/api/local-route.ts'
import { actorFrom } from '#lib/auth/actor-from.ts'
import { linkMinutes, localLink } from '#lib/auth/sign-in/local-link.ts'
import { GET, POST } from '#lib/auth/sign-in/next-auth.ts'
import { rateLimitsWith } from '#lib/infra/rate-limits.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { withRuntime } from '#tests/support/servers/test-runtime.ts'

const server = withRuntime({ WAYSTATION_LIMIT_SIGN_IN: '0' })
const origin = 'http://localhost:3000'
const ownHeaders = { host: 'localhost:3000', origin, 'sec-fetch-site': 'same-origin' }
const newLink = (now?: number) => localLink(server.runtime.env, now)

/** Opens the page of a link, or submits it. */
async function ask(
  method: 'GET' | 'HEAD' | 'POST',
  link: string,
  headers: Record<string, string> = ownHeaders
) {
  const token = decodeURIComponent(link.split('/local/')[1] ?? '')
  const response = await localRoute(new Request(link, { method, headers }), { token })
  const [cookie] = response.headers.getSetCookie().map(text => text.split(';')[0] ?? '')
  return {
    status: response.status,
    to: response.headers.get('location'),
    cookie,
    html: await response.text()
  }
}

const actorOf = (cookie = '') => actorFrom(new Request(origin, { headers: { cookie } }))
const signIns = () => server.runtime.sql`select id from sign_ins`

test('22 A6: a link signs in the local owner once: GET does not use it up, and only one of several simultaneous requests succeeds', async () => {
  const link = newLink()
  for (const method of ['GET', 'HEAD', 'GET'] as const)
    expect(await ask(method, link)).toMatchObject({ status: 200, cookie: undefined })
  expect((await ask('GET', link)).html).toContain('data-hook="continue-as-local-owner"')

  const responses = await Promise.all([1, 2, 3, 4].map(() => ask('POST', link)))
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
  const { to, cookie } = responses.find(({ status }) => status === 303)!
  expect(to).toBe('/sessions/welcome')
  expect(await actorOf(cookie)).toMatchObject({ kind: 'person', name: 'Local owner', role: 'owner' })

  await server.runtime.sql`delete from sign_ins`
  expect(await ask('GET', link)).toMatchObject({ status: 401 })
  expect(await ask('POST', link)).toMatchObject({ status: 401, cookie: undefined })
  expect(JSON.stringify(await server.runtime.sql`select * from used_links`)).not.toContain(link.slice(-43))

  const first = await ask('POST', newLink())
  const second = await ask('POST', newLink(), { ...ownHeaders, cookie: first.cookie! })
  expect(await actorOf(second.cookie)).toMatchObject({ role: 'owner' })
  expect(await actorOf(first.cookie)).toBeNull()
})

test('22 A6: a forged, expired or cut-off link is rejected, and so is a sign-in without a link', async () => {
  const before = await signIns()
  const link = newLink()
  const [, token = ''] = link.split('/local/')
  const [ends, id, signature] = token.split('.')
  const invalidLinks = {
    old: newLink(Date.now() - linkMinutes * 60_000),
    'of another secret': localLink({ ...server.runtime.env, authSecret: 'another secret of this length' }),
    prolonged: link.replace(token, `${Number(ends) + 1}.${id}.${signature}`),
    renamed: link.replace(token, `${ends}.${'x'.repeat(16)}.${signature}`),
    unsigned: link.replace(token, `${ends}.${id}.`),
    'cut off': link.slice(0, -1),
    'not text': `${origin}/local/%00`
  }
  for (const [what, badLink] of Object.entries(invalidLinks))
    for (const method of ['GET', 'POST'] as const)
      expect(await ask(method, badLink), `${method} ${what}`).toMatchObject({
        status: 401,
        cookie: undefined
      })

  allowErrors(/Provider with id .+ not found/)
  const csrf = await GET(new Request(`${origin}/api/auth/csrf`))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const cookie = csrf.headers.getSetCookie().map(text => text.split(';')[0])
  const response = await POST(
    new Request(`${origin}/api/auth/callback/local`, {
      method: 'POST',
      headers: { ...ownHeaders, cookie: cookie.join('; ') },
      body: new URLSearchParams({ csrfToken })
    })
  ).catch(() => undefined)
  expect(response?.headers.getSetCookie().join() ?? '').not.toContain('waystation.session')
  expect(await signIns()).toEqual(before)
})

test('22 A6: forged links do not use up the attempts of a user with a valid link', async () => {
  const { sql, env, ports } = server.runtime
  const unlimited = ports.enforceRateLimit
  onTestFinished(() => void Object.assign(ports, { enforceRateLimit: unlimited }))
  Object.assign(ports, { enforceRateLimit: rateLimitsWith(sql, { ...env.limits, signIn: 1 }) })
  const link = newLink()
  for (let n = 0; n < 3; n++)
    expect(await ask('POST', `${link.slice(0, -4)}AAAA`)).toMatchObject({ status: 401 })
  expect(await ask('POST', link)).toMatchObject({ status: 303 })
  expect(await ask('POST', newLink())).toMatchObject({ status: 429 })
})

const asHost = (host: string) => ({ ...ownHeaders, host })
test.each([
  [ownHeaders, 303],
  [{ host: '127.0.0.1:3000', 'x-forwarded-host': '127.0.0.1:3000', 'x-forwarded-for': '::1' }, 303],
  [{ host: '[::1]:3000', 'x-forwarded-for': '::ffff:127.0.0.1' }, 303],
  [asHost('rebound.example:3000'), 403],
  [asHost('localhost.example'), 403],
  [{ ...ownHeaders, 'x-forwarded-for': '203.0.113.9' }, 403],
  [{ ...ownHeaders, 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }, 403],
  [{ ...ownHeaders, 'x-forwarded-host': 'tunnel.example' }, 403],
  [{ origin }, 403],
  [{ ...ownHeaders, origin: 'https://evil.example' }, 403],
  [{ ...ownHeaders, 'sec-fetch-site': 'cross-site' }, 403]
])(
  '22 A6: a link works only on this machine, under one of its names and from its own page: %j → %s',
  async (headers, status) => {
    const link = newLink()
    expect(await ask('POST', link, headers as Record<string, string>)).toMatchObject({ status })
    // A rejected attempt does not use up the link.
    expect((await ask('GET', link)).status).toBe(status === 303 ? 401 : 200)
  }
)
