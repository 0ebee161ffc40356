import { expect, onTestFinished, test, vi } from 'vitest'
import { inWords } from '#packages/sample-acme/src/pages.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import {
  askDevice,
  call,
  connectAda,
  everything,
  redeem,
  refresh,
  register,
  startAuthorization
} from '#tests/support/fakes/connect-acme.ts'
import { serveAcme } from '#tests/support/fakes/serve-acme.ts'

const _invalidGrant = { status: 400, error: 'invalid_grant' }
const readJson = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>

test('Acme publishes its metadata at each URL where clients look (RFC 8414, 3.1), and writes nothing to the console', async () => {
  const consoleSpies = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info'), vi.spyOn(console, 'error')]
  onTestFinished(() => {
    for (const spy of consoleSpies) spy.mockRestore()
  })
  const acme = await serveAcme()
  const metadata = await readJson(`${acme.issuer}/.well-known/openid-configuration`)
  expect(metadata).toMatchObject({
    issuer: acme.issuer,
    authorization_endpoint: `${acme.issuer}/authorize`,
    token_endpoint: `${acme.issuer}/token`,
    revocation_endpoint: `${acme.issuer}/token/revocation`,
    registration_endpoint: `${acme.issuer}/register`,
    device_authorization_endpoint: `${acme.issuer}/device/authorize`,
    jwks_uri: `${acme.issuer}/jwks`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    response_types_supported: ['code'],
    scopes_supported: expect.arrayContaining(everything.split(' '))
  })
  expect(metadata).not.toHaveProperty('introspection_endpoint')
  for (const clientUrl of ['oauth-authorization-server', 'openid-configuration'])
    expect(await readJson(`${acme.origin}/.well-known/${clientUrl}/samples/acme`)).toEqual(metadata)
  const byAddress = acme.issuer.replace('localhost', '127.0.0.1')
  expect(await readJson(`${byAddress}/.well-known/openid-configuration`)).toEqual(metadata)
  await connectAda(acme)
  for (const spy of consoleSpies) expect(spy).not.toHaveBeenCalled()
})

test('a user signs in, reads and approves the request, and the client then has exactly these permissions', async () => {
  const acme = await serveAcme()
  const browser = new Browser(acme.origin)
  const { url, verifier } = startAuthorization(acme)
  const signIn = await browser.open(url)
  expect(signIn.text).toContain('Ada Okafor')
  const consent = await browser.press(signIn.url.href, { person: 'ada' })
  for (const phrase of ['Ada Okafor', 'Waystation', ...inWords(everything.split(' ')), acme.origin])
    expect(consent.text).toContain(phrase)
  const { url: callbackUrl } = await browser.press(consent.url.href, { do: 'allow' })
  expect(callbackUrl.origin + callbackUrl.pathname).toBe(acme.redirectUri)
  expect(Object.fromEntries(callbackUrl.searchParams)).toEqual({
    code: expect.any(String),
    state: 'the state',
    iss: acme.issuer
  })
  const tokens = await redeem(acme, {
    grant_type: 'authorization_code',
    code: callbackUrl.searchParams.get('code') ?? '',
    redirect_uri: acme.redirectUri,
    code_verifier: verifier
  })
  expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 300, scope: everything })
  expect((await call(acme, '/me', tokens.access_token)).body).toEqual({
    id: 'ada',
    name: 'Ada Okafor',
    email: 'ada.okafor@acme.example'
  })
  expect((await call(acme, '/orders', tokens.access_token)).body.orders).toHaveLength(2)
})

test('a restart at any time changes nothing: sessions, steps, codes, tokens and keys are in the database', async () => {
  const acme = await serveAcme()
  const keys = await readJson(`${acme.issuer}/jwks`)
  const browser = new Browser(acme.origin)
  const { url, verifier } = startAuthorization(acme)
  const signIn = await browser.open(url)
  await acme.restart()
  const consent = await browser.press(signIn.url.href, { person: 'ada' })
  await acme.restart()
  const { searchParams } = (await browser.press(consent.url.href, { do: 'allow' })).url
  await acme.restart()
  const tokens = await redeem(acme, {
    grant_type: 'authorization_code',
    code: String(searchParams.get('code')),
    redirect_uri: acme.redirectUri,
    code_verifier: verifier
  })
  await acme.restart()
  expect((await call(acme, '/me', tokens.access_token)).status).toBe(200)
  expect((await refresh(acme, tokens.refresh_token)).status).toBe(200)
  expect((await browser.open(`${acme.issuer}/account`)).text).toContain('Ada Okafor at Acme')
  expect(await readJson(`${acme.issuer}/jwks`)).toEqual(keys)
})

test('a dump of the database contains no credential: no code, token, secret or key', async () => {
  const acme = await serveAcme()
  const { fields, tokens, browser } = await connectAda(acme)
  const registration = await register(acme, { token_endpoint_auth_method: 'client_secret_basic' })
  const device = await askDevice(acme)
  const { keys } = (await readJson(`${acme.issuer}/jwks`)) as { keys: { n?: string }[] }
  const rows = await acme.sql`select to_jsonb(row)::text as text from sample_acme row`
  const dump = rows.map(({ text }) => text).join('\n')
  const sessionId = /acme=([^;]+)/.exec(browser.cookies())?.[1]
  for (const secret of [
    fields.code,
    tokens.access_token,
    tokens.refresh_token,
    registration.client_secret,
    device.device_code,
    sessionId,
    keys[0]?.n
  ]) {
    expect(secret).toBeTruthy()
    expect(dump).not.toContain(secret)
  }
})
