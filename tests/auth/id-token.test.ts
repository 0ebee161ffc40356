import { afterAll, beforeAll, expect, test } from 'vitest'
import { GET, POST } from '#lib/auth/sign-in/next-auth.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import type { FakeProvider } from '#tests/support/fakes/code-flow.ts'
import { type OidcFaults, startFakeOidc } from '#tests/support/fakes/fake-oidc.ts'
import { withRuntime } from '#tests/support/servers/test-runtime.ts'

const origin = 'http://localhost:3000'
const faults: OidcFaults = {}
const settings: Record<string, string> = {}
let provider: FakeProvider

beforeAll(async () => {
  provider = await startFakeOidc([{ account: '1', name: 'Ada', login: 'ada' }], faults)
  Object.assign(settings, {
    AUTH_OIDC_ID: provider.clientId,
    AUTH_OIDC_SECRET: provider.clientSecret,
    AUTH_OIDC_ISSUER: provider.url
  })
})
withRuntime(settings)
afterAll(async () => {
  await provider.stop()
  // next-auth reads its origin from the environment.
  delete process.env.AUTH_URL
})

/** Signs in at a provider with these faults and returns the names of the cookies in the browser. */
async function signIn(newFaults: OidcFaults): Promise<string[]> {
  for (const name of ['claims', 'issuer'] as const) delete faults[name]
  Object.assign(faults, newFaults)
  const jar = new Map<string, string>()
  const ask = async (url: string, body?: URLSearchParams) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = { headers: { host: 'localhost:3000', cookie }, ...(body && { method: 'POST', body }) }
    const response = await (body ? POST : GET)(new Request(url, init))
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const { csrfToken } = (await (await ask(`${origin}/api/auth/csrf`)).json()) as { csrfToken: string }
  const signIn = await ask(`${origin}/api/auth/signin/oidc`, new URLSearchParams({ csrfToken }))
  const authorizeUrl = new URL(signIn.headers.get('location') ?? '', origin)
  if (authorizeUrl.origin !== provider.url) return [...jar.keys()]
  authorizeUrl.pathname = '/choose'
  authorizeUrl.searchParams.set('account', '1')
  const choice = await fetch(authorizeUrl, { redirect: 'manual' })
  await ask(choice.headers.get('location') ?? '')
  return [...jar.keys()]
}

const session = 'waystation.session'

test('22 A12: a correct ID token signs its user in', async () => {
  expect(await signIn({})).toContain(session)
})

test.each<[what: string, wrong: OidcFaults]>([
  ['for another audience', { claims: { aud: 'another-client' } }],
  ['of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['with the nonce of another sign-in', { claims: { nonce: 'n'.repeat(43) } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['that has expired', { claims: { iat: 1_000_000_000, exp: 1_000_000_060 } }],
  ['of a provider whose metadata names another issuer', { issuer: 'https://evil.example' }]
])('22 A12: an ID token %s is rejected', async (_what, newFaults) => {
  allowErrors(/a sign-in failed/)
  expect(await signIn(newFaults)).not.toContain(session)
})
