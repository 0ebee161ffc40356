import { expect, test } from 'vitest'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { presets } from '#lib/features/connections/presets.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'

/**
 * Configures a preset for a service that responds as the provider’s reference says, and completes the consent.
 */
async function connectPreset(name: string, token: object, extraConfig: Record<string, unknown> = {}) {
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const basic = `Basic ${Buffer.from('our-id:our-secret').toString('base64')}`
  const provider = await startFakeService('', basic, 'granted')
  const { integration, ...preset } = presets.find(candidate => candidate.integration === name)!
  const config = JSON.parse(JSON.stringify(preset).replaceAll(/https:\/\/[\w.-]+/g, provider.url))
  config.oauth.clientId = 'our-id'
  provider.answers = path =>
    extraConfig[path] ?? (path.includes('token') || path.includes('access') ? token : {})
  await saveIntegration(server.ctx, { integration: 'acme', config, clientSecret: 'our-secret' })
  await server.session.runTurn('connect acme')
  const call = await waitForConnectionCall(server.session, 'request_connection')
  const browser = new Browser(server.origin)
  const { url } = await begin(server.ctx, server.session, call)
  const sent = new URL((await browser.ask(url)).headers.get('location') ?? '')
  const callbackPath = `/api/connections/callback?code=a-code&state=${sent.searchParams.get('state')}`
  const { text } = await browser.open(callbackPath)
  const tokenRequest = provider.asked.find(({ method }) => method === 'POST')
  const { connections } = await listConnections(server.ctx)
  return {
    sent,
    text,
    asked: new URLSearchParams(tokenRequest?.body),
    by: tokenRequest?.authorization,
    basic,
    connections
  }
}

const activeConnection = [{ state: 'active', mode: 'oauth' }]

test('GitHub: sends its secret in the form, and names the account by its login', async () => {
  const {
    sent,
    asked: tokenRequest,
    by,
    connections
  } = await connectPreset(
    'github',
    { access_token: 'granted', token_type: 'bearer', scope: 'read:user,repo' },
    { '/user': { login: 'ada' } }
  )
  expect(sent.pathname).toBe('/login/oauth/authorize')
  expect(tokenRequest.get('client_secret')).toBe('our-secret')
  expect(by).toBeUndefined()
  expect(connections).toMatchObject([
    { ...activeConnection[0], account: 'ada', scopes: ['read:user', 'repo'] }
  ])
})

test('GitHub: an error in the body of a 200 is recognized', async () => {
  const { text, connections } = await connectPreset('github', {
    error: 'bad_verification_code',
    error_description: 'The code passed is incorrect or expired.'
  })
  expect(text).toContain('bad_verification_code: The code passed is incorrect or expired.')
  expect(connections).toEqual([])
})

test('Linear: sends its scopes, and receives tokens that expire', async () => {
  const {
    sent,
    asked: tokenRequest,
    connections
  } = await connectPreset('linear', {
    access_token: 'granted',
    token_type: 'Bearer',
    expires_in: 86_399,
    refresh_token: 'again',
    scope: 'read issues:create'
  })
  expect(sent.searchParams.get('scope')).toBe('read issues:create')
  expect(tokenRequest.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  expect(connections).toMatchObject([{ ...activeConnection[0], expiresAt: expect.any(String) }])
})

test('Notion: sends the owner of the integration, and null is read as a missing field', async () => {
  const { sent, by, basic, connections } = await connectPreset('notion', {
    access_token: 'granted',
    token_type: 'bearer',
    refresh_token: null,
    bot_id: 'b1',
    workspace_icon: null,
    workspace_name: 'Acme',
    workspace_id: 'w1',
    owner: { type: 'user' },
    duplicated_template_id: null
  })
  expect(sent.searchParams.get('owner')).toBe('user')
  expect(by).toBe(basic)
  expect(connections).toMatchObject(activeConnection)
})

test('Slack: a bot’s token is used as a bearer token', async () => {
  const { connections } = await connectPreset(
    'slack',
    {
      ok: true,
      access_token: 'granted',
      token_type: 'bot',
      scope: 'channels:read,chat:write',
      team: { name: 'Acme', id: 'T1' },
      enterprise: null,
      authed_user: { id: 'U1' }
    },
    { '/api/auth.test': { ok: true, team: 'Acme' } }
  )
  expect(connections).toMatchObject([
    { ...activeConnection[0], account: 'Acme', scopes: ['channels:read', 'chat:write'] }
  ])
})

test('Slack: with user scopes alone, the token of the user is used', async () => {
  const { connections } = await connectPreset('slack', {
    ok: true,
    authed_user: { id: 'U1', access_token: 'granted', token_type: 'user', scope: 'search:read' },
    enterprise: null
  })
  expect(connections).toMatchObject([{ ...activeConnection[0], scopes: ['search:read'] }])
})

test('Slack: the page explains a denial', async () => {
  const { text, connections } = await connectPreset('slack', { ok: false, error: 'invalid_code' })
  expect(text).toContain('invalid_code')
  expect(connections).toEqual([])
})

test('a token of an unknown type is not used as a bearer token', async () => {
  const { text, connections } = await connectPreset('slack', { access_token: 'granted', token_type: 'mac' })
  expect(text).toContain('"connected":false')
  expect(connections).toEqual([])
})

test('22 B6: a token that expires in 1e308 seconds is stored with ten years', async () => {
  const { connections } = await connectPreset('linear', {
    access_token: 'granted',
    token_type: 'Bearer',
    expires_in: 1e308
  })
  const [{ expiresAt } = { expiresAt: '' }] = connections
  const years = (Date.parse(expiresAt ?? '') - Date.now()) / (365 * 24 * 3600 * 1000)
  expect(years).toBeCloseTo(10, 1)
})

test('22 B6: a token that no header can carry connects nothing', async () => {
  for (const token of [{ access_token: 'gran\r\nted' }, { access_token: 'granted', refresh_token: 'a\nb' }]) {
    const { connections, text } = await connectPreset('linear', { ...token, token_type: 'Bearer' })
    expect(connections).toEqual([])
    expect(text).not.toContain('gran')
  }
})
