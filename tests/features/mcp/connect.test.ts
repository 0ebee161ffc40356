import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { dispatch } from '#lib/api/dispatch.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server with an MCP server that accepts tokens of Acme, saved as the integration "shop". */
async function startServerWithShop(extra: Record<string, unknown> = {}, clientSecret?: string) {
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const issuer = `${server.origin}/samples/acme`
  const shop = await serveMcp(issuer)
  await saveIntegration(server.ctx, {
    integration: 'shop',
    config: { service: 'Shop', mcp: { url: shop.url, ...extra } },
    ...(clientSecret === undefined ? {} : { clientSecret })
  })
  const ask = async () => {
    await server.session.runTurn('use request_connection {"integration":"shop"}')
    return waitForConnectionCall(server.session, 'request_connection')
  }
  return { ...server, shop, issuer, ask }
}

const registrations = (sql: Awaited<ReturnType<typeof startServerWithShop>>['sql']) =>
  sql<{ id: string }[]>`select id from sample_acme where model = 'Client'`

test('an MCP server’s account is connected at the authorization server in its metadata, by a client that registers itself (RFC 9728, 7591, 8707)', async () => {
  const { shop, session, ctx, origin, sql, ask, issuer } = await startServerWithShop()
  const call = await ask()
  expect(call.render).toMatchObject({ service: 'Shop', modes: ['oauth'] })
  const browser = new Browser(origin)
  const { url } = await begin(ctx, session, call)
  const openedPage = await browser.open(url)
  expect(openedPage.text).toContain('name="person"')
  const done = session.waitForEnd()
  await connectAt({ ctx, origin }, session, call)
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
  await done
  const { connections } = await listConnections(ctx)
  expect(connections).toMatchObject([{ integration: 'shop', state: 'active', mode: 'oauth' }])
  expect(connections[0]?.scopes).toEqual(['orders:read'])
  const [row] = await sql`select authority, secrets from connections`
  // Metadata is JSON, because a server can have a page for users at the same URL.
  expect(shop.asked.find(({ path }) => path.startsWith('/.well-known/'))).toMatchObject({
    method: 'GET',
    accept: 'application/json'
  })
  // The client asked for `offline_access`, which Acme supports.
  expect(Object.keys(row?.secrets)).toContain('refreshToken')
  expect(row?.authority).toMatchObject({ issuer, resource: shop.url, clientAuth: 'client_secret_basic' })
})

for (const { title, change, words, not } of [
  {
    title: 'metadata of another resource is refused, and nobody is sent anywhere',
    change: ({ behavior }: Awaited<ReturnType<typeof serveMcp>>) => {
      behavior.metadata.resource = 'https://evil.example/mcp'
    },
    words: 'https://evil.example/mcp'
  },
  {
    title: 'a path that only begins with the same letters is another resource',
    change: ({ behavior, origin }: Awaited<ReturnType<typeof serveMcp>>) => {
      behavior.metadata.resource = `${origin}/mc`
    },
    words: '/mc'
  },
  {
    title: 'an authorization server that calls itself something else is refused (RFC 8414, 3.3)',
    change: ({ behavior, origin }: Awaited<ReturnType<typeof serveMcp>>) => {
      behavior.metadata.authorization_servers = [`${origin}/as`]
      behavior.authorizationServer = serverAt('https://evil.example')
    },
    words: 'Shop',
    not: 'S256'
  },
  {
    title: 'an authorization server that does not say S256 is refused (MCP authorization, PKCE)',
    change: ({ behavior, origin }: Awaited<ReturnType<typeof serveMcp>>) => {
      behavior.metadata.authorization_servers = [`${origin}/as`]
      behavior.authorizationServer = serverAt(`${origin}/as`)
    },
    words: 'S256'
  },
  {
    title: 'an authorization server where nobody registers by themselves: a sentence for an owner',
    change: ({ behavior, origin }: Awaited<ReturnType<typeof serveMcp>>) => {
      behavior.metadata.authorization_servers = [`${origin}/as`]
      behavior.authorizationServer = {
        ...serverAt(`${origin}/as`),
        code_challenge_methods_supported: ['S256']
      }
    },
    words: 'Shop'
  }
])
  test(title, async () => {
    const { shop, session, ctx, origin, ask } = await startServerWithShop()
    change(shop)
    const call = await ask()
    const { url } = await begin(ctx, session, call)
    const page = await new Browser(origin).open(url)
    expect(page.text).toContain(words)
    if (not !== undefined) expect(page.text).not.toContain(not)
    expect((await session.waitForSettled(call)).output).toMatchObject({ connected: false, reason: 'failed' })
  })

const serverAt = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code']
})

test('two first connections at once register one client', async () => {
  const { ctx, origin, session, sql } = await startServerWithShop()
  await session.runTurn(
    'use request_connection {"integration":"shop"}\nuse request_connection {"integration":"shop","slug":"other"}'
  )
  const { calls } = await session.get()
  const openCalls = calls.filter(({ kind }) => kind === 'connection')
  const urls = await Promise.all(openCalls.map(async call => (await begin(ctx, session, call)).url))
  const pages = await Promise.all(urls.map(url => new Browser(origin).open(url)))
  for (const page of pages) expect(page.text).toContain('name="person"')
  expect(await registrations(sql)).toHaveLength(1)
  expect(await sql`select client_id from integration_clients`).toHaveLength(1)
})

test('two MCP servers of one authorization server have separate clients', async () => {
  const { ctx, origin, session, issuer, sql } = await startServerWithShop()
  const other = await serveMcp(issuer)
  await saveIntegration(ctx, { integration: 'depot', config: { service: 'Depot', mcp: { url: other.url } } })
  for (const integration of ['shop', 'depot']) {
    await session.runTurn(`use request_connection {"integration":"${integration}"}`)
    const { calls } = await session.get()
    const { url } = await begin(ctx, session, calls.at(-1) as Call)
    expect((await new Browser(origin).open(url)).text).toContain('name="person"')
  }
  expect(await sql`select integration from integration_clients order by integration`).toMatchObject([
    { integration: 'depot' },
    { integration: 'shop' }
  ])
  expect(await registrations(sql)).toHaveLength(2)
})

test('a client that an owner configured is used, and none is registered', async () => {
  const { ctx, session, origin, ask, sql } = await startServerWithShop(
    { clientId: 'waystation' },
    'not the true secret'
  )
  const call = await ask()
  const { text } = await connectAt({ ctx, origin }, session, call)
  // Acme knows the client, so the user reaches the consent page. Only the secret is wrong.
  expect(text).toContain('"connected":false')
  expect(await registrations(sql)).toHaveLength(0)
})

test('a new URL is a new server: accounts of the previous one are deleted (token audience)', async () => {
  const { ctx, session, origin, ask, sql } = await startServerWithShop()
  const call = await ask()
  const done = session.waitForEnd()
  await connectAt({ ctx, origin }, session, call)
  await done
  const other = await serveMcp(`${origin}/samples/acme`)
  await saveIntegration(ctx, { integration: 'shop', config: { service: 'Shop', mcp: { url: other.url } } })
  expect((await listConnections(ctx)).connections).toMatchObject([{ state: 'needs_auth' }])
  expect(await sql`select from integration_clients`).toHaveLength(0)
})

test('its token is sent only to its own origin: another apiBase, or further origins, are refused', async () => {
  const { ctx, shop } = await startServerWithShop()
  for (const override of [
    { apiBase: 'https://elsewhere.example' },
    { origins: ['https://elsewhere.example'] }
  ])
    await expect(
      saveIntegration(ctx, {
        integration: 'shop',
        config: { service: 'Shop', mcp: { url: shop.url }, ...override }
      })
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('the document that is our client’s ID is public at that URL, and nowhere else (CIMD)', async () => {
  const requestDocument = async (url: string) => dispatch(new Request(`${url}/client-metadata.json`))
  const local = await startTestServer({ settings: { WAYSTATION_URL: 'http://127.0.0.1:3000' } })
  expect((await requestDocument('http://127.0.0.1:3000')).status).toBe(404)
  await local.stopServer()
  await startTestServer({ settings: { WAYSTATION_URL: 'https://way.example' } })
  const answer = await requestDocument('https://way.example')
  expect(await answer.json()).toEqual({
    client_id: 'https://way.example/client-metadata.json',
    client_name: 'Waystation',
    client_uri: 'https://way.example',
    redirect_uris: ['https://way.example/api/connections/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  })
})
