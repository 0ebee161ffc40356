import { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import { expect, test } from 'vitest'
import { configOf, draftOf, shortNameOf } from './service-draft.ts'
import { serviceFaults } from './service-errors.ts'

const github = IntegrationConfig.parse({
  integration: 'github',
  service: 'GitHub',
  apiBase: 'https://api.github.com/',
  origins: ['https://uploads.github.com'],
  oauth: {
    authorizationEndpoint: 'https://github.com/authorize',
    tokenEndpoint: 'https://github.com/token',
    clientAuth: 'client_secret_post',
    scopes: ['repo'],
    parameters: { prompt: 'consent' }
  },
  apiKey: {
    fields: [
      { name: 'user', label: 'User', plain: true },
      { name: 'password', label: 'Password' }
    ],
    header: { name: 'authorization', value: '{user}:{password}', basic: true }
  },
  account: { path: 'user', field: 'login' }
})

/** Returns a configuration as the server receives it, without undefined fields. */
const sent = (config: unknown) => JSON.parse(JSON.stringify(config))

test('an unchanged draft equals its initial configuration, including fields that the form does not show', () => {
  expect(IntegrationConfig.parse(sent(configOf(draftOf(github), github)))).toEqual(github)
})

test('registering this server changes only the client ID and the scopes', () => {
  const config = configOf({ ...draftOf(github), clientId: ' abc ', scopes: 'repo,  read:user' }, github)
  expect(IntegrationConfig.parse(sent(config))).toEqual({
    ...github,
    oauth: { ...github.oauth, clientId: 'abc', scopes: ['repo', 'read:user'] }
  })
})

test('a new service with a token gets the header from the form and a default short name', () => {
  const draft = { ...draftOf(), service: 'Acme Tracker (test)', apiBase: 'https://acme.example' }
  expect(sent(configOf(draft))).toEqual({
    integration: 'acme-tracker-test',
    service: 'Acme Tracker (test)',
    apiBase: 'https://acme.example',
    apiKey: {
      fields: [{ name: 'token', label: expect.any(String), plain: false }],
      header: { name: 'authorization', value: 'Bearer {token}' }
    }
  })
  expect(shortNameOf('Ölmühle 24')).toBe('lm-hle-24')
})

test('the configuration of an MCP server has its URL and a manually registered client', () => {
  const draft = {
    ...draftOf(),
    service: 'Desk',
    mcp: true,
    apiKey: false,
    mcpUrl: 'https://desk.example/mcp'
  }
  const config = sent(configOf(draft))
  expect(config).toEqual({ integration: 'desk', service: 'Desk', mcp: { url: 'https://desk.example/mcp' } })
  const saved = IntegrationConfig.parse({ ...config, apiBase: config.mcp.url })
  expect(IntegrationConfig.parse(sent(configOf(draftOf(saved), saved)))).toEqual(saved)
  const registered = sent(configOf({ ...draftOf(saved), clientId: 'abc', scopes: 'read' }, saved))
  expect(registered.mcp).toEqual({ url: 'https://desk.example/mcp', clientId: 'abc', scopes: ['read'] })
  expect(
    sent(configOf({ ...draftOf(saved), mcpUrl: 'https://new.example/mcp' }, saved)).apiBase
  ).toBeUndefined()
})

test('sign-in with a code can be enabled in addition to consent, and disabled again', () => {
  const grants = (device: boolean) => sent(configOf({ ...draftOf(github), device }, github)).oauth.grants
  expect(grants(true)).toEqual(['authorization_code', 'device_code'])
  expect(grants(false)).toEqual(['authorization_code'])
})

test('an error is shown at its field; an error without a field names its position', () => {
  const refused = {
    message: 'It does not fit.',
    fields: {
      'config.oauth': 'needs an issuer',
      'config.oauth.scopes.1': 'is too long',
      'config.origins.0': 'must be https',
      'config.sharing': 'Choose one of them.'
    }
  }
  expect(serviceFaults(refused, () => true)).toEqual({
    faults: { issuer: 'needs an issuer', scopes: 'is too long' },
    rest: 'It does not fit. config.origins.0: must be https. config.sharing: Choose one of them.'
  })
  expect(serviceFaults({ ...refused, fields: { 'config.apiBase': 'must be https' } }, () => true)).toEqual({
    faults: { apiBase: 'must be https' },
    rest: ''
  })
  expect(
    serviceFaults({ ...refused, fields: { 'config.apiBase': 'must be https' } }, name => name === 'clientId')
  ).toEqual({
    faults: {},
    rest: 'It does not fit. config.apiBase: must be https.'
  })
})
