import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import type { FakeProvider } from '#tests/support/fakes/code-flow.ts'
import { startFakeGitHub } from '#tests/support/fakes/fake-github.ts'
import { startFakeOidc } from '#tests/support/fakes/fake-oidc.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

const ada = { account: '1', name: 'Ada Lovelace', login: 'ada', email: 'ada@example.com', verified: true }
const bob = { account: '2', name: 'Bob', login: 'bob', email: 'ada@example.com' }

let oidc: FakeProvider
let github: FakeProvider
let server: ServerProcess
let sql: Pool
let settings: Record<string, string>
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  oidc = await startFakeOidc([ada, bob])
  closers.push(() => oidc.stop())
  github = await startFakeGitHub([ada])
  closers.push(() => github.stop())
  const database = await createDatabase()
  closers.push(() => database.drop())
  sql = connect(database.url, { max: 1 })
  closers.push(() => sql.end())
  settings = {
    DATABASE_URL: database.url,
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    WAYSTATION_LIMIT_SIGN_IN: '0',
    AUTH_OIDC_ID: oidc.clientId,
    AUTH_OIDC_SECRET: oidc.clientSecret,
    AUTH_OIDC_ISSUER: oidc.url,
    AUTH_OIDC_NAME: 'Fake',
    AUTH_GITHUB_ID: github.clientId,
    AUTH_GITHUB_SECRET: github.clientSecret,
    AUTH_GITHUB_URL: github.url
  }
  server = await startServer(settings)
  closers.push(() => server.stop())
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Starts a sign-in and returns the URL of the provider to which the browser is redirected. */
async function startSignIn(browser: Browser, provider = 'oidc', callbackUrl = '/sessions') {
  const csrf = await browser.ask('/api/auth/csrf')
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const response = await browser.ask(`/api/auth/signin/${provider}`, {
    method: 'POST',
    body: new URLSearchParams({ csrfToken, callbackUrl })
  })
  return new URL(response.headers.get('location') ?? '', server.url)
}

/** Chooses an account at the provider and returns the callback URL. */
async function choose(authorizeUrl: URL, account: string): Promise<string> {
  const link = new URL('/choose', authorizeUrl)
  link.search = new URLSearchParams([...authorizeUrl.searchParams, ['account', account]]).toString()
  const response = await fetch(link, { redirect: 'manual' })
  return response.headers.get('location') ?? ''
}

async function signIn(account: string, provider = 'oidc', callbackUrl = '/sessions') {
  const browser = new Browser(server.url)
  const landed = await browser.open(await choose(await startSignIn(browser, provider, callbackUrl), account))
  return { browser, landed }
}

/** Returns the `data-hook` attributes of a page. */
const hooksIn = (html: string) => [...html.matchAll(/ data-hook="([^"]+)"/g)].map(([, hook = '']) => hook)

const people = () =>
  sql`select i.provider, i.subject, u.name, i.label, u.id from identities i join users u on u.id = i.user_id order by 1, 2`
const members = () =>
  sql`select u.name, m.role from members m join users u on u.id = m.user_id order by m.created_at`

test('the ready line shows how the first owner signs in, and is the same at each start', async () => {
  const lines = server.readyLine.split('\n')
  expect(lines[0]).toContain('github, oidc')
  expect(lines.slice(1)).toEqual([expect.stringMatching(/ http:\/\/localhost:\d+\/join\/[\w-]{43}$/)])
  const secondServer = await startServer(settings)
  const link = (line: string) => line.split('/join/')[1]
  expect(link(secondServer.readyLine)).toBe(link(server.readyLine))
  await secondServer.stop()
  const invites = JSON.stringify(await sql`select * from invites`)
  expect(invites).not.toContain(link(server.readyLine))
})

test('the sign-in page has a button for each provider, and its policy allows forms only to these', async () => {
  const response = await fetch(`${server.url}/sign-in`)
  const html = await response.text()
  expect(hooksIn(html).filter(hook => hook.startsWith('continue-'))).toEqual([
    'continue-with-github',
    'continue-with-oidc'
  ])
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain(`form-action 'self' ${github.url} ${oidc.url};`)
})

test('a sign-in uses state, PKCE and, for OpenID Connect, a nonce, and sends the public URL', async () => {
  const [openId, git] = [
    await startSignIn(new Browser(server.url)),
    await startSignIn(new Browser(server.url), 'github')
  ].map(({ searchParams }) => searchParams)
  for (const params of [openId!, git!]) {
    expect(params.get('code_challenge_method')).toBe('S256')
    expect(params.get('state')?.length).toBeGreaterThan(20)
    expect(params.get('response_type')).toBe('code')
  }
  expect(openId!.get('nonce')?.length).toBeGreaterThan(20)
  expect(openId!.get('redirect_uri')).toBe(`${server.url}/api/auth/callback/oidc`)
  expect(git!.get('redirect_uri')).toBe(`${server.url}/api/auth/callback/github`)
  expect(git!.get('scope')).toBe('read:user user:email')
})

test('the redirect URI has the public URL, even if the request names another host', async () => {
  const browser = new Browser(server.url)
  const { csrfToken } = (await (await browser.ask('/api/auth/csrf')).json()) as { csrfToken: string }
  const response = await browser.ask('/api/auth/signin/oidc', {
    method: 'POST',
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    body: new URLSearchParams({ csrfToken, callbackUrl: 'https://evil.example/' })
  })
  const authorizeUrl = new URL(response.headers.get('location') ?? '')
  expect(authorizeUrl.searchParams.get('redirect_uri')).toBe(`${server.url}/api/auth/callback/oidc`)
  const { url } = await browser.open(await choose(authorizeUrl, ada.account))
  expect(url.origin).toBe(server.url)
})

test.each(['oidc', 'github'])('signing in with %s creates a user without membership', async provider => {
  const { browser, landed } = await signIn(ada.account, provider)
  expect(landed.url.pathname).toBe('/sign-in')
  expect(hooksIn(landed.text)).toContain('not-a-member')
  expect(landed.text).toContain('Ada Lovelace')
  expect((await browser.ask('/api/sessions')).status).toBe(401)
  expect(browser.cookies()).toContain('waystation.session=')
  expect(await members()).toEqual([])
})

test('an account at a provider is always the same user, and equal e-mail addresses do not join users', async () => {
  await signIn(ada.account)
  await signIn(bob.account)
  const identities = await people()
  expect(identities).toMatchObject([
    { provider: 'github', subject: '1', name: 'Ada Lovelace', label: 'ada' },
    { provider: 'oidc', subject: '1', name: 'Ada Lovelace', label: 'ada' },
    { provider: 'oidc', subject: '2', name: 'Bob', label: 'bob' }
  ])
  expect(new Set(identities.map(({ id }) => id)).size).toBe(3)
  expect(JSON.stringify(await sql`select * from users, identities`)).not.toContain('example.com')
})

test('22 A5: a sign-in stores expiry, browser and verified address, the next one in that browser replaces it, and sign-out deletes it', async () => {
  await sql`delete from sign_ins`
  const rows = () => sql`
    select i.provider, i.subject, s.email, s.user_agent as agent,
      extract(epoch from s.expires_at - s.created_at) / 86400 as days
    from sign_ins s join identities i on i.user_id = s.user_id order by s.created_at`
  const { browser } = await signIn(bob.account)
  const first = browser.cookies()
  await browser.open(await choose(await startSignIn(browser, 'github'), ada.account))
  await signIn(ada.account)
  const row = { email: 'ada@example.com', agent: expect.stringMatching(/./), days: '30.0000000000000000' }
  const all = [
    { ...row, provider: 'github', subject: '1' },
    { ...row, provider: 'oidc', subject: '1' }
  ]
  expect(await rows()).toEqual(all)
  const page = async (cookie: string) =>
    hooksIn(await (await fetch(`${server.url}/sign-in`, { headers: { cookie } })).text())
  expect(await page(first)).not.toContain('not-a-member')
  const copied = browser.cookies()
  expect(await page(copied)).toContain('not-a-member')

  const renewed = await browser.ask('/api/auth/session')
  expect([renewed.status, renewed.headers.getSetCookie()]).toEqual([404, []])

  const { csrfToken } = (await (await browser.ask('/api/auth/csrf')).json()) as { csrfToken: string }
  await browser.press('/api/auth/signout', { csrfToken })
  expect(browser.cookies()).not.toContain('waystation.session=')
  expect(await page(copied)).not.toContain('not-a-member')
  expect(await rows()).toEqual(all.slice(1))

  await signIn(bob.account)
  expect((await rows()).at(-1)).toMatchObject({ subject: '2', email: null })
})

test.each(['oidc', 'github'])('a user who declines at %s sees that and is not signed in', async provider => {
  const { browser, landed } = await signIn('', provider)
  expect(landed.url.search).toBe('?error=denied')
  expect(landed.text).toContain('data-error="denied"')
  expect(browser.cookies()).not.toContain('waystation.session=')
})

const tampered: [what: string, change: (back: URL) => void][] = [
  ['another state', back => back.searchParams.set('state', 'x'.repeat(43))],
  ['no state', back => back.searchParams.delete('state')]
]
test.each(
  ['oidc', 'github'].flatMap(provider => tampered.map(([what, change]) => ({ provider, what, change })))
)('a callback of $provider with $what does not sign in', async ({ provider, change }) => {
  const browser = new Browser(server.url)
  const back = new URL(await choose(await startSignIn(browser, provider), ada.account))
  change(back)
  const { url, text } = await browser.open(back.href)
  expect(url.search).toBe('?error=stale')
  expect(text).toContain('data-error="stale"')
  expect(browser.cookies()).not.toContain('waystation.session=')
})

test.each(['oidc', 'github'])(
  'a code of %s signs in once, and only in the browser that started',
  async provider => {
    const browser = new Browser(server.url)
    const back = await choose(await startSignIn(browser, provider), ada.account)
    const thief = new Browser(server.url)
    expect((await thief.open(back)).url.search).toBe('?error=stale')
    const before = browser.cookies()
    expect((await browser.open(back)).url.search).toBe('')
    const replayed = await fetch(back, { redirect: 'manual', headers: { cookie: before } })
    expect(replayed.headers.get('location')).toContain('?error=stale')
    expect(replayed.headers.getSetCookie().join()).not.toContain('waystation.session=')
  }
)

test('a callback that names another issuer does not sign in (RFC 9207)', async () => {
  allowErrors(/a sign-in failed/)
  const browser = new Browser(server.url)
  const back = new URL(await choose(await startSignIn(browser), ada.account))
  back.searchParams.set('iss', 'https://elsewhere.example')
  expect((await browser.open(back.href)).url.search).toBe('?error=misconfigured')
  expect(browser.cookies()).not.toContain('waystation.session=')
})

test('after a sign-in, the browser returns only to one of our own paths', async () => {
  const landingUrl = async (callbackUrl: string) =>
    (await signIn(bob.account, 'oidc', callbackUrl)).landed.url
  expect((await landingUrl('/join/none')).href).toBe(`${server.url}/join/none`)
  for (const callbackUrl of ['https://evil.example/', '//evil.example', '/\\evil.example'])
    expect((await landingUrl(callbackUrl)).origin, callbackUrl).toBe(server.url)
  const response = await fetch(`${server.url}/sign-in?callbackUrl=${encodeURIComponent('//evil.example/x')}`)
  expect(await response.text()).not.toContain('evil.example/x"')
})

test('a cookie of the local owner is rejected once sign-in is configured', async () => {
  await sql`insert into users (id, name) values ('local-owner', 'Local owner') on conflict do nothing`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'local-owner', 'owner')`
  const cookie = await signInCookie({ sql, env: { authSecret: settings.AUTH_SECRET! } }, 'local-owner')
  const response = await fetch(`${server.url}/api/sessions`, { headers: { cookie } })
  expect(response.status).toBe(401)
})

test('the first user who signs in with the claim link replaces the local owner, and the link works once', async () => {
  const path = `/join/${server.readyLine.split('/join/')[1]}`
  const page = await new Browser(server.url).open(path)
  expect(hooksIn(page.text)).toContain('continue-with-oidc')

  const { browser, landed } = await signIn(ada.account, 'oidc', path)
  expect(landed.url.pathname).toBe(path)
  expect(hooksIn(landed.text)).toContain('claim-server')
  const second = await signIn(bob.account, 'oidc', path)
  const accepted = await browser.press(`${path}/accept`)
  expect(accepted.url.pathname).toBe('/sessions')
  expect(accepted.status).toBe(200)
  expect(await members()).toEqual([{ name: 'Ada Lovelace', role: 'owner' }])

  const secondAttempt = await second.browser.press(`${path}/accept`)
  expect(secondAttempt.url.pathname).toBe(path)
  expect(hooksIn(secondAttempt.text)).toContain('closed-door')
  expect(await members()).toEqual([{ name: 'Ada Lovelace', role: 'owner' }])
  const restarted = await startServer(settings)
  expect(restarted.readyLine).not.toContain('/join/')
  await restarted.stop()
})

test('an unreachable provider or a rejected client secret is reported as a server error', async () => {
  allowErrors(/a sign-in failed/)
  const broken = await startServer({
    ...settings,
    AUTH_OIDC_SECRET: 'wrong',
    AUTH_GITHUB_SECRET: 'wrong',
    AUTH_GONE_ID: 'id',
    AUTH_GONE_SECRET: 'secret',
    AUTH_GONE_ISSUER: 'http://localhost:9'
  })
  const before = server
  let logged = ''
  broken.process.stderr?.on('data', text => {
    logged += text
  })
  server = broken
  try {
    for (const provider of ['oidc', 'github']) {
      const { landed } = await signIn(ada.account, provider)
      expect(landed.url.search, provider).toBe('?error=misconfigured')
      expect(landed.text).toContain('data-error="misconfigured"')
    }
    expect((await startSignIn(new Browser(broken.url), 'gone')).search).toBe('?error=misconfigured')
    await expect.poll(() => logged).toContain('"provider":"gone"')
    expect(logged).toMatch(/"provider":"oidc","because":"[^"]*\(invalid_client\)"/)
    expect(logged).toMatch(/"provider":"github","because":"[^"]*\(incorrect_client_credentials\)"/)
    expect(logged).not.toContain('wrong')
  } finally {
    server = before
    await broken.stop()
  }
})
