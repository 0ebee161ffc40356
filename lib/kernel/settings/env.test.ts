import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BadSettings, type Env, readEnv } from './env.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')
const PUBLIC = { HOST: '0.0.0.0', AUTH_SECRET: SECRET, WAYSTATION_VAULT_KEY: SECRET }

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'waystation-env-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const read = (source: Record<string, string> = {}) => readEnv({ WAYSTATION_DATA_DIR: dir, ...source })

test('without settings, it is a local server with an embedded database and the demo model', () => {
  expect(read()).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: dir,
    url: 'http://localhost:3000',
    local: true,
    signIn: [],
    egressAllow: [],
    zx: false,
    role: 'all'
  })
  expect(read()).toMatchObject({
    databaseUrl: undefined,
    apiKey: undefined,
    defaultModel: undefined,
    redisUrl: undefined
  })
})

test('a variable with an empty value is unset', () => {
  expect(read({ PORT: '', DATABASE_URL: ' ', AUTH_GITHUB_ID: '' })).toMatchObject({ port: 3000, local: true })
})

const settings: [setting: string, value: string, expected: Partial<Env>][] = [
  ['PORT', '8080', { port: 8080 }],
  ['HOST', '0.0.0.0', { host: '0.0.0.0', local: false }],
  ['DATABASE_URL', 'postgres://me@db/way', { databaseUrl: 'postgres://me@db/way' }],
  ['AUTH_SECRET', SECRET, { authSecret: SECRET }],
  ['WAYSTATION_VAULT_KEY', SECRET, { vaultKeys: [SECRET] }],
  ['WAYSTATION_URL', 'https://way.example.org/', { url: 'https://way.example.org' }],
  ['WAYSTATION_API_KEY', 'twenty-four-letters-or-more', { apiKey: 'twenty-four-letters-or-more' }],
  [
    'OPENAI_BASE_URL',
    'http://127.0.0.1:9/v1',
    { environment: expect.objectContaining({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }) }
  ],
  [
    'WAYSTATION_EGRESS_ALLOW',
    'intranet, 10.0.0.0/8 ,box:8080',
    { egressAllow: ['intranet', '10.0.0.0/8', 'box:8080'] }
  ],
  ['WAYSTATION_DEFAULT_MODEL', 'qwen3', { defaultModel: 'qwen3' }],
  ['WAYSTATION_LIMIT_KEY', '100', { limits: expect.objectContaining({ key: 100 }) }],
  ['WAYSTATION_LIMIT_SUBJECT', '0', { limits: expect.objectContaining({ subject: 0 }) }],
  ['REDIS_URL', 'redis://127.0.0.1', { redisUrl: 'redis://127.0.0.1' }],
  ['WAYSTATION_ROLE', 'worker', { role: 'worker' }],
  ['WAYSTATION_ZX', '1', { zx: true }]
]
test.each(settings)('the setting %s is applied', (setting, value, expected) => {
  expect(read({ ...PUBLIC, OPENAI_API_KEY: 'sk-1', [setting]: value })).toMatchObject(expected)
})

test('GitHub is a sign-in provider if its ID and secret are set', () => {
  expect(read({ ...PUBLIC, AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }).signIn).toEqual([
    {
      provider: 'github',
      kind: 'github',
      name: 'GitHub',
      id: 'id',
      secret: 'secret',
      issuer: 'https://github.com'
    }
  ])
})

test('22 A4: limits, files, summaries, logs and traces have defaults', () => {
  expect(read(PUBLIC)).toMatchObject({
    limits: { callback: 6000, answer: 60, signIn: 60, unauthenticated: 600, outOfBand: 10 },
    maxConcurrent: {
      tokenStream: 16,
      subjectStream: 64,
      memberStream: 64,
      keyStream: 2000,
      stream: 5000,
      export: 4,
      linkRequest: 200,
      keyRequest: 2000
    },
    files: { bytes: 10_485_760, perMessage: 20, sessionBytes: 209_715_200, promptBytes: 20_971_520 },
    summarySeconds: 60,
    logLevel: 'info',
    traces: 'off'
  })
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://db/way'],
  ['WAYSTATION_URL', 'way.example.org'],
  ['WAYSTATION_URL', 'https://example.org/way'],
  ['WAYSTATION_LOCAL', 'perhaps'],
  ['WAYSTATION_ROLE', 'king'],
  ['WAYSTATION_VAULT_KEY', 'not-32-bytes'],
  ['WAYSTATION_VAULT_KEY', `${SECRET},short`],
  ['WAYSTATION_EGRESS_ALLOW', '10.0.0.0/99'],
  ['WAYSTATION_EGRESS_ALLOW', 'http://intranet'],
  ['AUTH_SECRET', 'tiny1'],
  ['OPENAI_BASE_URL', 'ftp://models'],
  ['REDIS_URL', 'localhost:6379']
])('%s=%s is rejected by name, and the error does not contain its value', (name, value) => {
  const attempt = () => read({ [name]: value })
  expect(attempt).toThrow(BadSettings)
  expect(attempt).toThrow(new RegExp(`- ${name} `))
  if (value.length > 4) expect(attempt).not.toThrow(value)
})

test('all errors are reported at once', () => {
  expect(() => read({ PORT: 'x', REDIS_URL: 'y', WAYSTATION_ROLE: 'z' })).toThrow(
    /PORT[\s\S]*ROLE[\s\S]*REDIS_URL/
  )
})

test.each([
  [{ GITHUB_ID: 'id' }, /AUTH_GITHUB_SECRET/],
  [{ GITHUB_SECRET: 'x' }, /AUTH_GITHUB_ID/],
  [{ OIDC_ISSUER: 'https://id.example' }, /AUTH_OIDC_ID[\s\S]*AUTH_OIDC_SECRET/],
  [{ ACME_ID: 'id', ACME_SECRET: 'x' }, /AUTH_ACME_ISSUER/],
  [{ ACME_ID: 'id', ACME_SECRET: 'x', ACME_ISSUER: 'http://id.example' }, /AUTH_ACME_ISSUER/],
  [{ ACME_ID: 'id', ACME_SECRET: 'x', ACME_ISSUER: 'id.example' }, /AUTH_ACME_ISSUER/],
  [{ GITHUB_ID: 'id', GITHUB_SECRET: 'x', GITHUB_URL: 'http://ghe.example' }, /AUTH_GITHUB_URL/],
  [{ GITHUB_ID: 'id', GITHUB_SECRET: 'x', GITHUB_ISSUER: 'https://x.example' }, /AUTH_GITHUB_URL/]
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

test('any number of OpenID providers can be configured, and a known provider needs no issuer', () => {
  const variables = (name: string, more: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries({ ID: 'id', SECRET: 'x', ...more }).map(([part, value]) => [
        `AUTH_${name}_${part}`,
        value
      ])
    )
  const { signIn } = read({
    ...PUBLIC,
    ...variables('GOOGLE'),
    ...variables('GITHUB', { URL: 'https://ghe.example/' }),
    ...variables('OIDC', { ISSUER: 'https://id.example/realms/one' }),
    ...variables('MY_KEYCLOAK', { ISSUER: 'http://localhost:8080/realms/two', NAME: 'Acme staff' })
  })
  expect(signIn.map(({ provider, kind, name, issuer }) => [provider, kind, name, issuer])).toEqual([
    ['github', 'github', 'GitHub', 'https://ghe.example'],
    ['google', 'oidc', 'Google', 'https://accounts.google.com'],
    ['my-keycloak', 'oidc', 'Acme staff', 'http://localhost:8080/realms/two'],
    ['oidc', 'oidc', 'id.example', 'https://id.example/realms/one']
  ])
})

test.each([
  ['a sign-in provider', { AUTH_GITHUB_ID: 'id', AUTH_GITHUB_SECRET: 'secret' }],
  ['an address that other machines can reach', { HOST: '0.0.0.0' }],
  ['all addresses', { HOST: '::' }],
  ['the public origin of a proxy or tunnel', { WAYSTATION_URL: 'https://way.example.org' }],
  ['a host name that resembles a loopback address', { WAYSTATION_URL: 'https://127.0.0.1.example.org' }]
])('local mode is never on with %s, even if it is requested', (_, settings) => {
  expect(read({ ...PUBLIC, HOST: '127.0.0.1', ...settings }).local).toBe(false)
  expect(() => read({ ...PUBLIC, HOST: '127.0.0.1', ...settings, WAYSTATION_LOCAL: 'on' })).toThrow(
    /WAYSTATION_LOCAL/
  )
})

test('local mode can be turned off', () => {
  expect(() => read({ WAYSTATION_LOCAL: 'off' })).toThrow(/AUTH_SECRET/)
  expect(read({ ...PUBLIC, HOST: '::1', WAYSTATION_LOCAL: 'off' }).local).toBe(false)
})

test('in local mode, secrets are created once, and only their owner can read them', () => {
  const [first, second] = [read(), read()]
  expect(second).toEqual(first)
  expect(first.authSecret).not.toBe(first.vaultKeys[0])
  expect(Buffer.from(first.vaultKeys[0] ?? '', 'base64')).toHaveLength(32)
  expect(readdirSync(dir).sort()).toEqual(['auth-secret', 'vault-key'])
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
})

test('outside of local mode, secrets are required and nothing is written', () => {
  expect(() => read({ HOST: '0.0.0.0' })).toThrow(/AUTH_SECRET[\s\S]*WAYSTATION_VAULT_KEY/)
  expect(readdirSync(dir)).toEqual([])
})

test('vault keys stay in order, newest first', () => {
  const newest = Buffer.alloc(32, 8).toString('base64')
  expect(read({ WAYSTATION_VAULT_KEY: `${newest},${SECRET}` }).vaultKeys).toEqual([newest, SECRET])
})
