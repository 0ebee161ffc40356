import { expect, test } from 'vitest'
import { Browser } from '#tests/support/browser/browser.ts'
import {
  askDevice,
  call,
  completeFlow,
  connectAda,
  enterCode,
  everything,
  redeem,
  refresh,
  register,
  startAuthorization,
  xsrfOf
} from '#tests/support/fakes/connect-acme.ts'
import { type ServedAcme, serveAcme } from '#tests/support/fakes/serve-acme.ts'
import { lockWaits } from '#tests/support/servers/lock-waits.ts'

const invalidGrant = { status: 400, error: 'invalid_grant' }
const _read = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>

const order = (
  acme: ServedAcme,
  token: string,
  key?: string,
  body: unknown = { item: 'Lamp', quantity: 2 }
) =>
  call(acme, '/orders', token, {
    method: 'POST',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  })

/** Locks all rows of a model. Requests that change one have read it before they wait. */
async function holdModel({ sql }: ServedAcme, model: string) {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = sql.begin(async tx => {
    await tx`select from sample_acme where model = ${model} for update`
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return {
    async release() {
      released.resolve()
      await done
    }
  }
}

test('consent is required each time, even after sign-in, and the user can switch accounts there', async () => {
  const acme = await serveAcme()
  const { browser } = await connectAda(acme)
  const consent = await browser.open(startAuthorization(acme).url)
  expect(consent.text).toContain('Ada Okafor, it asks for permission to')
  const signIn = await browser.press(consent.url.href, { do: 'switch' })
  expect(signIn.text).toContain('Sign in at Acme')
  const asBen = await browser.press(signIn.url.href, { person: 'ben' })
  expect(asBen.text).toContain('Ben Castillo, it asks for permission to')
  expect((await browser.press(asBen.url.href, { do: 'allow' })).url.searchParams.get('code')).toBeTruthy()

  const forced = await browser.open(startAuthorization(acme, { prompt: 'login' }).url)
  expect(forced.text).toContain('Sign in at Acme')
  expect((await browser.press(forced.url.href, { person: 'ada' })).text).toContain('Ada Okafor, it asks')
})

test('a user who denies or cancels returns with access_denied, the state and the issuer (RFC 9207)', async () => {
  const acme = await serveAcme()
  const denied = { error: 'access_denied', state: 'the state', iss: acme.issuer }
  const browser = new Browser(acme.origin)
  const { url } = await completeFlow(browser, startAuthorization(acme).url, { answer: 'deny' })
  expect(url.origin + url.pathname).toBe(acme.redirectUri)
  expect(Object.fromEntries(url.searchParams)).toMatchObject(denied)
  const other = new Browser(acme.origin)
  const signIn = await other.open(startAuthorization(acme).url)
  const cancelled = await other.press(signIn.url.href, { do: 'cancel' })
  expect(Object.fromEntries(cancelled.url.searchParams)).toMatchObject(denied)
})

test('PKCE is required of every client, and only with S256 (RFC 9700, 2.1.1)', async () => {
  const acme = await serveAcme()
  for (const weak of [
    { code_challenge: '', code_challenge_method: '' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: '' }
  ] as Record<string, string>[]) {
    const { url } = await new Browser(acme.origin).open(startAuthorization(acme, weak).url)
    expect(Object.fromEntries(url.searchParams), JSON.stringify(weak)).toMatchObject({
      error: 'invalid_request',
      state: 'the state'
    })
  }
  const { fields } = await connectAda(acme)
  const back = (await completeFlow(new Browser(acme.origin), startAuthorization(acme).url)).url
  const stolen = { ...fields, code: back.searchParams.get('code') ?? '' }
  expect(await redeem(acme, stolen)).toMatchObject(invalidGrant)
})

test('a reused code is rejected, and its tokens are revoked (RFC 6749, 4.1.2)', async () => {
  const acme = await serveAcme()
  const { fields, tokens } = await connectAda(acme)
  expect((await call(acme, '/me', tokens.access_token)).status).toBe(200)
  expect(await redeem(acme, fields)).toMatchObject(invalidGrant)
  expect((await call(acme, '/me', tokens.access_token)).status).toBe(401)
  expect(await refresh(acme, tokens.refresh_token)).toMatchObject(invalidGrant)
})

test('a refresh returns a new refresh token, and reuse of an old one revokes the grant (RFC 9700, 4.14.2)', async () => {
  const acme = await serveAcme()
  const { tokens: first } = await connectAda(acme)
  const second = await refresh(acme, first.refresh_token)
  expect(second).toMatchObject({ status: 200, scope: everything })
  expect(second.refresh_token).not.toBe(first.refresh_token)
  const third = await refresh(acme, second.refresh_token)
  expect((await call(acme, '/me', third.access_token)).status).toBe(200)
  expect(await refresh(acme, first.refresh_token)).toMatchObject(invalidGrant)
  expect(await refresh(acme, third.refresh_token)).toMatchObject(invalidGrant)
  expect((await call(acme, '/me', third.access_token)).status).toBe(401)
})

test('if two requests redeem the same code or refresh token at once, one gets tokens and the grant is revoked', async () => {
  const acme = await serveAcme()
  const asAdasBrowser = async () => {
    const { url, verifier } = startAuthorization(acme)
    const { searchParams } = (await completeFlow(new Browser(acme.origin), url)).url
    return {
      grant_type: 'authorization_code',
      code: String(searchParams.get('code')),
      redirect_uri: acme.redirectUri,
      code_verifier: verifier
    }
  }
  const { tokens } = await connectAda(acme)
  for (const [model, fields] of [
    ['AuthorizationCode', await asAdasBrowser()],
    ['RefreshToken', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }]
  ] as const) {
    const lock = await holdModel(acme, model)
    const both = Promise.all([redeem(acme, fields), redeem(acme, fields)])
    await lockWaits(acme.sql, 2)
    await lock.release()
    const granted = (await both).filter(({ status }) => status === 200)
    expect(granted, model).toHaveLength(1)
    for (const { access_token, refresh_token } of granted) {
      expect((await call(acme, '/me', access_token)).status, model).toBe(401)
      expect(await refresh(acme, refresh_token), model).toMatchObject(invalidGrant)
    }
  }
})

test('a token ends when the client revokes it (RFC 7009) or the user revokes the grant on the account page', async () => {
  const acme = await serveAcme()
  const basic = Buffer.from(`${acme.clientId}:${acme.clientSecret}`).toString('base64')
  const { tokens } = await connectAda(acme)
  const revoked = await fetch(`${acme.issuer}/token/revocation`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token: tokens.refresh_token })
  })
  expect(revoked.status).toBe(200)
  expect((await call(acme, '/me', tokens.access_token)).status).toBe(401)

  const { tokens: orphan } = await connectAda(acme)
  await acme.sql`delete from sample_acme where model = 'Grant'`
  expect((await call(acme, '/me', orphan.access_token)).status).toBe(401)

  const { browser, tokens: more } = await connectAda(acme)
  const { tokens: other } = await connectAda(acme)
  const page = await browser.open(`${acme.issuer}/account`)
  expect(page.text).toContain('Waystation')
  const [newest, older] = [...page.text.matchAll(/name="grant" value="([^"]+)"/g)].map(([, id]) => String(id))
  const ben = new Browser(acme.origin)
  await ben.press(`${acme.issuer}/account`, { person: 'ben' })
  await ben.press(`${acme.issuer}/account`, { do: 'revoke', grant: String(older) })
  expect((await call(acme, '/me', more.access_token)).status).toBe(200)
  for (const grant of [newest, older]) {
    const after = await browser.press(`${acme.issuer}/account`, { do: 'revoke', grant: String(grant) })
    expect(after.text).toContain('The application can no longer use this account.')
  }
  for (const { access_token, refresh_token } of [more, other]) {
    expect((await call(acme, '/me', access_token)).status).toBe(401)
    expect(await refresh(acme, refresh_token)).toMatchObject(invalidGrant)
  }
  expect((await browser.open(`${acme.issuer}/account`)).text).toContain(
    'No application can use this account.'
  )
  expect((await browser.press(`${acme.issuer}/account`, { do: 'sign-out' })).text).toContain(
    'You are not signed in'
  )
})

test('an expired access token is rejected as invalid, and a refresh returns a valid one (RFC 6750, 3.1)', async () => {
  const acme = await serveAcme({ accessTokenSeconds: 1 })
  const { tokens } = await connectAda(acme)
  expect(tokens).toMatchObject({ expires_in: 1 })
  await expect.poll(async () => (await call(acme, '/me', tokens.access_token)).status).toBe(401)
  const expired = await call(acme, '/me', tokens.access_token)
  expect(expired.headers.get('www-authenticate')).toContain('Bearer realm="Acme", error="invalid_token"')
  expect(expired.body).toMatchObject({
    error: 'invalid_token',
    message: expect.stringContaining('connect again')
  })
  expect(await refresh(acme, tokens.refresh_token)).toMatchObject({ status: 200 })
  const anonymous = await fetch(`${acme.api}/me`)
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Acme"'])
})

test('a token without the required scope is rejected with the name of that scope (RFC 6750, 3.1)', async () => {
  const acme = await serveAcme()
  const { tokens } = await connectAda(acme, { scope: 'orders:read' })
  expect(tokens).toMatchObject({ status: 200, scope: 'orders:read' })
  expect(tokens).not.toHaveProperty('refresh_token')
  expect((await call(acme, '/me', tokens.access_token)).body).toEqual({ id: 'ada' })
  const refused = await order(acme, tokens.access_token)
  expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toContain(
    'error="insufficient_scope", scope="orders:write"'
  )
})

test('an order is created once per Idempotency-Key and user, and an invalid one is rejected with an error', async () => {
  const acme = await serveAcme()
  const { access_token: ada } = (await connectAda(acme)).tokens
  const all = await Promise.all(Array.from({ length: 8 }, () => order(acme, ada, 'call_1')))
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(201))
  expect(new Set(all.map(({ body }) => body.orderId)).size).toBe(1)
  expect(all.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  await order(acme, ada)
  expect((await order(acme, ada, 'call_1', { item: 'Lamp', quantity: 3 })).body.error).toBe('key_reused')
  for (const invalid of [
    '{',
    '',
    'null',
    { item: '', quantity: 1 },
    { item: 'x', quantity: 1.5 },
    { item: 'x' }
  ])
    expect((await order(acme, ada, undefined, invalid)).status, JSON.stringify(invalid)).toBe(422)
  expect((await order(acme, ada, 'k'.repeat(256))).status).toBe(400)
  expect((await order(acme, ada, undefined, 'x'.repeat(70_000))).status).toBe(413)
  expect((await call(acme, '/orders', ada)).body.orders).toHaveLength(4)
  expect((await call(acme, '/orders', ada, { method: 'DELETE' })).status).toBe(405)
  expect((await call(acme, '/nothing', ada)).status).toBe(404)

  const browser = new Browser(acme.origin)
  const { url, verifier } = startAuthorization(acme)
  const { searchParams } = (await completeFlow(browser, url, { person: 'ben' })).url
  const { access_token: ben } = await redeem(acme, {
    grant_type: 'authorization_code',
    code: String(searchParams.get('code')),
    redirect_uri: acme.redirectUri,
    code_verifier: verifier
  })
  expect((await call(acme, '/orders', ben)).body.orders).toHaveLength(2)
})

test('expired records are deleted when the next user starts to connect', async () => {
  const acme = await serveAcme()
  await connectAda(acme)
  await acme.sql`update sample_acme set expires_at = expires_at - interval '2 years' where model <> 'Session'`
  await new Browser(acme.origin).open(startAuthorization(acme).url)
  const remaining = await acme.sql<{ model: string }[]>`select distinct model from sample_acme order by 1`
  expect(remaining.map(({ model }) => model)).toEqual(['Interaction', 'Keys', 'Session'])
})

test('a client registers itself (RFC 7591) and connects, and a registration that would make Acme fetch a URL is rejected', async () => {
  const acme = await serveAcme()
  const registered = await register(acme)
  expect(registered).toMatchObject({ status: 201, client_id: expect.any(String) })
  expect(registered).not.toHaveProperty('client_secret')
  const client = { clientId: String(registered.client_id), redirectUri: 'http://127.0.0.1:7777/back' }
  const browser = new Browser(acme.origin)
  const { url, verifier } = startAuthorization(acme, {}, client)
  const signIn = await browser.open(url)
  const consent = await browser.press(signIn.url.href, { person: 'ada' })
  expect(consent.text).toContain('A stranger wants to use your Acme account')
  expect(consent.text).toContain('http://127.0.0.1:7777')
  const page = await browser.ask(consent.url.href)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:7777;")
  const resumed = await browser.ask(consent.url.href, {
    method: 'POST',
    headers: { origin: acme.origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ do: 'allow' })
  })
  const redirect = await browser.ask(String(resumed.headers.get('location')))
  const back = new URL(String(redirect.headers.get('location')))
  expect(back.origin).toBe('http://127.0.0.1:7777')
  const tokens = await redeem(
    acme,
    {
      grant_type: 'authorization_code',
      code: String(back.searchParams.get('code')),
      redirect_uri: client.redirectUri,
      code_verifier: verifier
    },
    client
  )
  expect((await call(acme, '/orders', tokens.access_token)).status).toBe(200)
  for (const fetches of [
    { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://169.254.169.254/' },
    { redirect_uris: ['javascript:alert(1)'] },
    { redirect_uris: [] }
  ])
    expect((await register(acme, fetches)).status, JSON.stringify(fetches)).toBe(400)
})

test('a device connects with a code that the user enters, compares and allows or denies (RFC 8628)', async () => {
  const acme = await serveAcme()
  const poll = (code: string) =>
    redeem(acme, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code })
  const device = await askDevice(acme)
  expect(device.verification_uri).toBe(`${acme.issuer}/device`)
  expect((await poll(String(device.device_code))).error).toBe('authorization_pending')

  const browser = new Browser(acme.origin)
  const enter = await browser.open(String(device.verification_uri_complete))
  expect(enter.text).toContain(`value="${device.user_code}"`)
  expect(enter.text).not.toContain('<script')
  const wrong = await browser.press(enter.url.href, { xsrf: xsrfOf(enter.text), user_code: 'BBBB-BBBB' })
  expect(wrong.text).toContain('This code is not valid.')
  const code = { user_code: String(device.user_code) }
  const compare = await browser.press(enter.url.href, { xsrf: xsrfOf(wrong.text), ...code })
  expect(compare.text).toContain('Is this your device?')
  const signIn = await browser.press(enter.url.href, { xsrf: xsrfOf(compare.text), ...code, confirm: 'yes' })
  const consent = await browser.press(signIn.url.href, { person: 'ada' })
  expect(consent.text).toContain('Read your orders')
  expect((await browser.press(consent.url.href, { do: 'allow' })).text).toContain('go back to your device')
  const tokens = await poll(String(device.device_code))
  expect(tokens).toMatchObject({ status: 200, scope: everything, refresh_token: expect.any(String) })
  expect((await call(acme, '/orders', tokens.access_token)).status).toBe(200)
  expect(await poll(String(device.device_code))).toMatchObject(invalidGrant)

  const other = await askDevice(acme)
  const shown = { address: String(other.verification_uri_complete), code: String(other.user_code) }
  expect(await enterCode(browser, shown, 'deny')).toContain('Nothing was connected.')
  expect((await poll(String(other.device_code))).error).toBe('access_denied')
})

test('a redirect URI that differs from the registered one in any character is rejected on a page of Acme (RFC 9700, 2.1)', async () => {
  const acme = await serveAcme()
  for (const redirect_uri of [
    'https://evil.example/callback',
    `${acme.redirectUri}/`,
    `${acme.redirectUri}?x=1`,
    acme.redirectUri.replace('localhost', '127.0.0.1'),
    acme.redirectUri.replace('http:', 'https:'),
    `${acme.redirectUri}/../other`
  ]) {
    const { url, status, text } = await new Browser(acme.origin).open(
      startAuthorization(acme, { redirect_uri }).url
    )
    expect([status, url.pathname], redirect_uri).toEqual([400, '/samples/acme/authorize'])
    expect(text).toContain('an address that is not registered')
  }
})

test('a token is bound to its resource (RFC 8707): Acme’s API accepts only tokens for itself', async () => {
  const acme = await serveAcme()
  const { tokens } = await connectAda(acme, { resource: acme.api })
  expect((await call(acme, '/orders', tokens.access_token)).status).toBe(200)
  const refreshed = await refresh(acme, tokens.refresh_token)
  expect((await call(acme, '/orders', refreshed.access_token)).status).toBe(200)
  const { tokens: elsewhere } = await connectAda(acme, { resource: `${acme.origin}/mcp` })
  expect(elsewhere.status).toBe(200)
  expect((await call(acme, '/orders', elsewhere.access_token)).status).toBe(401)
  const foreign = startAuthorization(acme, { resource: 'https://evil.example/' })
  const { url } = await new Browser(acme.origin).open(foreign.url)
  expect(url.searchParams.get('error')).toBe('invalid_target')
})

test('input of strangers appears as text on every page, and no page runs scripts', async () => {
  const acme = await serveAcme()
  const bad = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
  const registered = await register(acme, { client_name: bad, scope: everything })
  const client = { clientId: String(registered.client_id), redirectUri: 'http://127.0.0.1:7777/back' }
  const browser = new Browser(acme.origin)
  const signIn = await browser.open(startAuthorization(acme, { state: bad, login_hint: bad }, client).url)
  const consent = await browser.press(signIn.url.href, { person: 'ada' })
  const pages = [
    signIn,
    consent,
    await browser.open(startAuthorization(acme, { client_id: bad }).url),
    await browser.open(startAuthorization(acme, { redirect_uri: bad }).url),
    await browser.open(`${acme.issuer}/device?user_code=${encodeURIComponent(bad)}`),
    await browser.open(`${acme.issuer}/${encodeURIComponent(bad)}`),
    await browser.open(`${acme.issuer}/interaction/x?${encodeURIComponent(bad)}`)
  ]
  for (const { text, url } of pages) {
    expect(text, url.href).toContain('<main')
    expect(text, url.href).not.toMatch(/<script|<img/i)
    const { headers } = await browser.ask(url.href)
    expect(headers.get('content-security-policy'), url.href).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; form-action 'self'/
    )
  }
})

test('a form sent from another page has no effect, and an expired step shows an error', async () => {
  const acme = await serveAcme()
  const browser = new Browser(acme.origin)
  const { browser: adaBrowser } = await connectAda(acme)
  const consent = await adaBrowser.open(startAuthorization(acme).url)
  for (const headers of [
    { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' }
  ] as Record<string, string>[])
    for (const url of [consent.url.href, `${acme.issuer}/account`]) {
      const body = new URLSearchParams({ do: url === consent.url.href ? 'allow' : 'sign-out', person: 'ben' })
      expect((await adaBrowser.ask(url, { method: 'POST', headers, body })).status).toBe(403)
    }
  expect((await adaBrowser.open(`${acme.issuer}/account`)).text).toContain('Ada Okafor at Acme')
  const stranger = await browser.open(consent.url.href)
  expect([stranger.status, stranger.text]).toEqual([400, expect.stringContaining('This step has expired')])
  await adaBrowser.press(consent.url.href, { do: 'allow' })
  expect((await adaBrowser.press(consent.url.href, { do: 'allow' })).text).toContain('This step has expired')
})

test('with acme_coop=1, its pages detach from their opener', async () => {
  const acme = await serveAcme()
  const coop = async (more: Record<string, string>) => {
    const browser = new Browser(acme.origin)
    const first = await browser.ask(startAuthorization(acme, more).url)
    const page = await browser.ask(String(first.headers.get('location')))
    return [first, page].map(({ headers }) => headers.get('cross-origin-opener-policy'))
  }
  expect(await coop({ acme_coop: '1' })).toEqual(['same-origin', 'same-origin'])
  expect(await coop({})).toEqual([null, null])
})
