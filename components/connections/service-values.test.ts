import { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'
import { expect, test } from 'vitest'
import { configOf, type ServiceValues, serviceErrors, shortNameOf, valuesOf } from './service-values.ts'

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

/** Returns values with changes in their configuration. */
const changed = (values: ServiceValues, config: Partial<ServiceValues['config']>): ServiceValues => ({
  ...values,
  config: { ...values.config, ...config }
})

test('an unchanged draft equals its initial configuration, including fields that the form does not show', () => {
  expect(IntegrationConfig.parse(sent(configOf(valuesOf(github), github)))).toEqual(github)
})

test('registering this server changes only the client ID and the scopes', () => {
  const oauth = { ...github.oauth!, clientId: 'abc', scopes: ['repo', 'read:user'] }
  const config = configOf(changed(valuesOf(github), { oauth }), github)
  expect(IntegrationConfig.parse(sent(config))).toEqual({
    ...github,
    oauth: { ...github.oauth, clientId: 'abc', scopes: ['repo', 'read:user'] }
  })
})

test('a new service with a token gets the header from the form and a default short name', () => {
  const values = changed(valuesOf(), { service: 'Acme Tracker (test)', apiBase: 'https://acme.example' })
  expect(sent(configOf(values))).toMatchObject({
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
  const mcp = { url: 'https://desk.example/mcp' }
  const ways = { mcp: true, oauth: false, apiKey: false, device: false }
  const config = sent(configOf({ ...changed(valuesOf(), { service: 'Desk', mcp }), ways }))
  expect(config).toEqual({ integration: 'desk', service: 'Desk', origins: [], sharing: 'user', mcp })
  const saved = IntegrationConfig.parse({ ...config, apiBase: config.mcp.url })
  expect(IntegrationConfig.parse(sent(configOf(valuesOf(saved), saved)))).toEqual(saved)
  const client = { ...mcp, clientId: 'abc', scopes: ['read'] }
  const registered = sent(configOf(changed(valuesOf(saved), { mcp: client }), saved))
  expect(registered.mcp).toEqual({ url: 'https://desk.example/mcp', clientId: 'abc', scopes: ['read'] })
  expect(
    sent(configOf(changed(valuesOf(saved), { mcp: { url: 'https://new.example/mcp' } }), saved)).apiBase
  ).toBeUndefined()
})

test('sign-in with a code can be enabled in addition to consent, and disabled again', () => {
  const { ways, ...values } = valuesOf(github)
  const grants = (device: boolean) =>
    sent(configOf({ ...values, ways: { ...ways, device } }, github)).oauth.grants
  expect(grants(true)).toEqual(['authorization_code', 'device_code'])
  expect(grants(false)).toEqual(['authorization_code'])
})

test('the errors of a configuration name fields of the form', () => {
  const values = changed(valuesOf(), { service: 'Acme', apiBase: 'acme' })
  const errors = (change: Partial<ServiceValues['ways']>) =>
    Object.keys(serviceErrors(configOf({ ...values, ways: { ...values.ways, ...change } }), ['acme']))
  expect(errors({})).toEqual(['config.apiBase', 'config.integration'])
  expect(errors({ apiKey: false })).toContain('ways')
  expect(errors({ oauth: true })).toContain('config.oauth')
  expect(errors({ mcp: true, apiKey: false })).toEqual(['config.mcp.url', 'config.integration'])
})
