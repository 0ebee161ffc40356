import { expect, test } from 'vitest'
import { BadSettings, readEnv } from './env.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')
const PUBLIC = { HOST: '0.0.0.0', AUTH_SECRET: SECRET, WAYSTATION_VAULT_KEY: SECRET }

const read = (source: Record<string, string> = {}) => readEnv({ WAYSTATION_DATA_DIR: '/nowhere', ...source })

test.each([
  [{ GITHUB_ID: 'id' }, /AUTH_GITHUB_SECRET is missing/],
  [{ GITHUB_SECRET: 'x' }, /AUTH_GITHUB_ID is missing/],
  [{ OIDC_ISSUER: 'https://id.example' }, /AUTH_OIDC_ID is missing[\s\S]*AUTH_OIDC_SECRET is missing/],
  [{ ACME_ID: 'id', ACME_SECRET: 'x' }, /AUTH_ACME_ISSUER is missing\. Set it to .*OpenID Connect/],
  [
    { ACME_ID: 'id', ACME_SECRET: 'x', ACME_ISSUER: 'http://id.example' },
    /AUTH_ACME_ISSUER must be an https URL/
  ],
  [{ ACME_ID: 'id', ACME_SECRET: 'x', ACME_ISSUER: 'id.example' }, /AUTH_ACME_ISSUER must be an https URL/],
  [
    { GITHUB_ID: 'id', GITHUB_SECRET: 'x', GITHUB_URL: 'http://ghe.example' },
    /AUTH_GITHUB_URL must be an https URL/
  ],
  [
    { GITHUB_ID: 'id', GITHUB_SECRET: 'x', GITHUB_ISSUER: 'https://x.example' },
    /For a GitHub Enterprise Server, set AUTH_GITHUB_URL/
  ]
] as [Record<string, string>, RegExp][])(
  'an unusable sign-in provider is rejected: %j',
  (settings, expected) => {
    const variables = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [`AUTH_${name}`, value])
    )
    expect(() => read({ ...PUBLIC, ...variables })).toThrow(BadSettings)
    expect(() => read({ ...PUBLIC, ...variables })).toThrow(expected)
  }
)

test.each([
  ['a sign-in provider', { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }],
  ['an address that other machines can reach', { HOST: '0.0.0.0' }],
  ['all addresses', { HOST: '::' }],
  ['the public origin of a proxy or tunnel', { WAYSTATION_URL: 'https://way.example.org' }],
  ['a host name that resembles a loopback address', { WAYSTATION_URL: 'https://127.0.0.1.example.org' }]
])('local mode is never on with %s, even if it is requested', (_, settings) => {
  expect(read({ ...PUBLIC, HOST: '127.0.0.1', ...settings }).local).toBe(false)
  expect(() => read({ ...PUBLIC, HOST: '127.0.0.1', ...settings, WAYSTATION_LOCAL: 'on' })).toThrow(
    /WAYSTATION_LOCAL cannot be on/
  )
})

test('local mode can be turned off', () => {
  expect(() => read({ WAYSTATION_LOCAL: 'off' })).toThrow(/AUTH_SECRET is required/)
  expect(read({ ...PUBLIC, HOST: '::1', WAYSTATION_LOCAL: 'off' }).local).toBe(false)
})

test('outside of local mode, secrets are required and nothing is written', () => {
  expect(() => read({ HOST: '0.0.0.0' })).toThrow(
    /AUTH_SECRET is required[\s\S]*WAYSTATION_VAULT_KEY is required[\s\S]*openssl/
  )
})
