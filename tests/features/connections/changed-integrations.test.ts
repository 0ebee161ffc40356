import { expect, test } from 'vitest'
import { listTools } from '#lib/agents/list-tools.ts'
import { beginOnPage } from '#lib/features/connections/begin-on-page.ts'
import {
  getIntegration,
  listIntegrations,
  removeIntegration,
  saveIntegration
} from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'
import { serveConnect } from '#tests/support/fakes/serve-connect.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const oauth = { issuer: 'https://login.acme.example', clientId: 'waystation' }
const forgeConfig = { service: 'Forge', apiBase: 'https://forge.acme.example/', oauth }

test('a client secret is preserved when other fields are saved, and deleted when its endpoint changes', async () => {
  const { ctx } = await startTestServer()
  const save = (config: object, clientSecret?: string) =>
    saveIntegration(ctx, {
      integration: 'forge',
      config,
      ...(clientSecret === undefined ? {} : { clientSecret })
    })
  const hasClientSecret = async () => (await getIntegration(ctx, { integration: 'forge' })).hasClientSecret
  await save(forgeConfig, 'a-secret-of-ours')
  await save({ ...forgeConfig, service: 'The Forge', oauth: { ...oauth, scopes: ['api'] } })
  expect(await hasClientSecret()).toBe(true)
  for (const change of [
    { issuer: 'https://elsewhere.example' },
    { tokenEndpoint: 'https://elsewhere.example/token' },
    { revocationEndpoint: 'https://elsewhere.example/revoke' }
  ]) {
    await save(forgeConfig, 'a-secret-of-ours')
    await save({ ...forgeConfig, oauth: { ...oauth, ...change } })
    expect(await hasClientSecret(), JSON.stringify(change)).toBe(false)
  }
})

test('the identity of an account is requested only at the service’s own origins', async () => {
  const { ctx } = await startTestServer()
  const save = (path: string) =>
    saveIntegration(ctx, {
      integration: 'forge',
      config: { ...forgeConfig, origins: ['https://files.acme.example'], account: { path, field: 'login' } }
    })
  for (const path of ['https://elsewhere.example/user', '//elsewhere.example/user'])
    await expect(save(path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      extra: { fields: { 'config.account.path': expect.any(String) } }
    })
  for (const path of ['user', '/v2/user', 'https://files.acme.example/user'])
    expect((await save(path)).integration).toBe('forge')
})

test('a new service URL ends its connections and deletes their secrets, even if the integration was deleted and saved again', async () => {
  const url = await serveConnect()
  const [service, otherService] = [await startFakeService('a-token-of-ada'), await startFakeService()]
  const { ctx } = await startTestServer({
    settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  const save = (apiBase: string) =>
    saveIntegration(ctx, {
      integration: 'tracker',
      config: {
        service: 'Tracker',
        apiBase,
        apiKey: {
          fields: [{ name: 'token', label: 'Token' }],
          header: { name: 'authorization', value: 'Bearer {token}' }
        },
        account: { path: 'user', field: 'login' }
      }
    })
  await save(service.url)
  const attempt = await beginOnPage(ctx, { integration: 'tracker', sharing: 'workspace' })
  const browser = new Browser(url)
  await browser.open(attempt.url)
  await browser.press(new URL(attempt.url).pathname, { token: 'a-token-of-ada' })
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'active', account: 'ada' }])
  await save(otherService.url)
  expect((await listConnections(ctx)).connections).toMatchObject([
    { state: 'needs_auth', fault: expect.stringContaining('Ann') }
  ])
  expect(otherService.asked).toEqual([])
  await save(service.url)
  const nextAttempt = await beginOnPage(ctx, { integration: 'tracker', sharing: 'workspace' })
  await browser.open(nextAttempt.url)
  await browser.press(new URL(nextAttempt.url).pathname, { token: 'a-token-of-ada' })
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'active' }])
  await removeIntegration(ctx, { integration: 'tracker' })
  await save(otherService.url)
  expect((await listConnections(ctx)).connections).toMatchObject([
    { state: 'needs_auth', fault: expect.stringContaining('Ann') }
  ])
})

test('a form sent instead of the provider’s consent connects nothing', async () => {
  const url = await serveConnect()
  const { ctx } = await startTestServer({ settings: { WAYSTATION_URL: url } })
  const address = 'https://forge.acme.example/'
  const config = {
    service: 'Forge',
    apiBase: address,
    oauth: { authorizationEndpoint: address, tokenEndpoint: address, clientId: 'waystation' }
  }
  await saveIntegration(ctx, { integration: 'forge', config })
  const attempt = await beginOnPage(ctx, { integration: 'forge', sharing: 'workspace' })
  const { status, text } = await new Browser(url).press(new URL(attempt.url).pathname, {})
  expect(status).toBe(403)
  expect(text).toContain('Forge')
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('a new service URL ends pending attempts, and deletes the secrets of connections that are no longer accepted', async () => {
  const url = await serveConnect()
  const [service, otherService] = [
    await startFakeService('a-token-of-ada'),
    await startFakeService('a-token-of-ada')
  ]
  const { ctx, sql } = await startTestServer({
    settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }
  })
  const header = { name: 'authorization', value: 'Bearer {token}' }
  const apiKey = { fields: [{ name: 'token', label: 'Token' }], header }
  const save = (apiBase: string) =>
    saveIntegration(ctx, {
      integration: 'tracker',
      config: { service: 'Tracker', apiBase, apiKey, account: { path: 'user', field: 'login' } }
    })
  await save(service.url)
  const target = { integration: 'tracker', sharing: 'workspace' as const }
  const [first, second] = [await beginOnPage(ctx, target), await beginOnPage(ctx, target)]
  const browser = new Browser(url)
  await browser.open(second.url)
  await browser.open(first.url)
  await browser.press(new URL(first.url).pathname, { token: 'a-token-of-ada' })
  await sql`update connections set state = 'needs_auth'`
  await save(otherService.url)
  expect(await sql`select from connections where secrets <> '{}'`).toHaveLength(0)
  // Their page still names the origin that was valid when they opened it.
  const { text } = await browser.press(new URL(second.url).pathname, { token: 'a-token-of-ada' })
  expect(text).toContain('"connected":false')
  expect(otherService.asked).toEqual([])
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'needs_auth' }])
})

test('without Acme, none of its tools is offered', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_LOCAL: 'false' } })
  const names = async () => (await listTools(ctx)).tools.map(({ name }) => name)
  expect(await names()).toContain('github-search-issues')
  expect((await names()).filter(name => name.startsWith('acme'))).toEqual([])
  const { integrations } = await listIntegrations(ctx)
  expect(integrations.map(({ integration }) => integration)).not.toContain('acme')
})
