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
import { testWorld } from '#tests/support/worlds/world.ts'

const oauth = { issuer: 'https://login.acme.example', clientId: 'waystation' }
const forge = { service: 'Forge', apiBase: 'https://forge.acme.example/', oauth }

test('a client’s secret stays when the rest is saved, and is dropped when it would go somewhere else', async () => {
  const { ctx } = await testWorld()
  const save = (config: object, clientSecret?: string) =>
    saveIntegration(ctx, {
      integration: 'forge',
      config,
      ...(clientSecret === undefined ? {} : { clientSecret })
    })
  const isKept = async () => (await getIntegration(ctx, { integration: 'forge' })).hasClientSecret
  await save(forge, 'a-secret-of-ours')
  await save({ ...forge, service: 'The Forge', oauth: { ...oauth, scopes: ['api'] } })
  expect(await isKept()).toBe(true)
  for (const moved of [
    { issuer: 'https://elsewhere.example' },
    { tokenEndpoint: 'https://elsewhere.example/token' },
    { revocationEndpoint: 'https://elsewhere.example/revoke' }
  ]) {
    await save(forge, 'a-secret-of-ours')
    await save({ ...forge, oauth: { ...oauth, ...moved } })
    expect(await isKept(), JSON.stringify(moved)).toBe(false)
  }
})

test('whose account it is can be asked at the service’s own origins only', async () => {
  const { ctx } = await testWorld()
  const save = (path: string) =>
    saveIntegration(ctx, {
      integration: 'forge',
      config: { ...forge, origins: ['https://files.acme.example'], account: { path, field: 'login' } }
    })
  for (const path of ['https://elsewhere.example/user', '//elsewhere.example/user'])
    await expect(save(path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      extra: { fields: { 'config.account.path': expect.any(String) } }
    })
  for (const path of ['user', '/v2/user', 'https://files.acme.example/user'])
    expect((await save(path)).integration).toBe('forge')
})

test('another address of the service ends its connections, and nothing of them is left to send there; also when it was removed and saved anew', async () => {
  const url = await serveConnect()
  const [service, elsewhere] = [await startFakeService('a-token-of-ada'), await startFakeService()]
  const { ctx } = await testWorld({ settings: { WAYSTATION_URL: url, WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
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
  const begun = await beginOnPage(ctx, { integration: 'tracker', sharing: 'workspace' })
  const browser = new Browser(url)
  await browser.open(begun.url)
  await browser.press(new URL(begun.url).pathname, { token: 'a-token-of-ada' })
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'active', account: 'ada' }])
  await save(elsewhere.url)
  expect((await listConnections(ctx)).connections).toMatchObject([
    { state: 'needs_auth', fault: expect.stringContaining('Ann') }
  ])
  expect(elsewhere.asked).toEqual([])
  await save(service.url)
  const anew = await beginOnPage(ctx, { integration: 'tracker', sharing: 'workspace' })
  await browser.open(anew.url)
  await browser.press(new URL(anew.url).pathname, { token: 'a-token-of-ada' })
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'active' }])
  await removeIntegration(ctx, { integration: 'tracker' })
  await save(elsewhere.url)
  expect((await listConnections(ctx)).connections).toMatchObject([
    { state: 'needs_auth', fault: expect.stringContaining('Ann') }
  ])
})

test('what somebody sends instead of the provider’s consent connects nothing', async () => {
  const url = await serveConnect()
  const { ctx } = await testWorld({ settings: { WAYSTATION_URL: url } })
  const address = 'https://forge.acme.example/'
  const config = {
    service: 'Forge',
    apiBase: address,
    oauth: { authorizationEndpoint: address, tokenEndpoint: address, clientId: 'waystation' }
  }
  await saveIntegration(ctx, { integration: 'forge', config })
  const begun = await beginOnPage(ctx, { integration: 'forge', sharing: 'workspace' })
  const { status, text } = await new Browser(url).press(new URL(begun.url).pathname, {})
  expect(status).toBe(403)
  expect(text).toContain('Forge')
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('another address of the service ends what is being connected, and what is kept of what is not accepted any more', async () => {
  const url = await serveConnect()
  const [service, elsewhere] = [
    await startFakeService('a-token-of-ada'),
    await startFakeService('a-token-of-ada')
  ]
  const { ctx, sql } = await testWorld({
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
  const asked = { integration: 'tracker', sharing: 'workspace' as const }
  const [one, two] = [await beginOnPage(ctx, asked), await beginOnPage(ctx, asked)]
  const browser = new Browser(url)
  await browser.open(two.url)
  await browser.open(one.url)
  await browser.press(new URL(one.url).pathname, { token: 'a-token-of-ada' })
  await sql`update connections set state = 'needs_auth'`
  await save(elsewhere.url)
  expect(await sql`select from connections where secrets <> '{}'`).toHaveLength(0)
  // Their window still shows where they thought that it would go.
  const { text } = await browser.press(new URL(two.url).pathname, { token: 'a-token-of-ada' })
  expect(text).toContain('"connected":false')
  expect(elsewhere.asked).toEqual([])
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'needs_auth' }])
})

test('where there is no Acme, none of its tools is offered', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_LOCAL: 'false' } })
  const names = async () => (await listTools(ctx)).tools.map(({ name }) => name)
  expect(await names()).toContain('github-search-issues')
  expect((await names()).filter(name => name.startsWith('acme'))).toEqual([])
  const { integrations } = await listIntegrations(ctx)
  expect(integrations.map(({ integration }) => integration)).not.toContain('acme')
})
