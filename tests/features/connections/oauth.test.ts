import { expect, test } from 'vitest'
import { getAttempt } from '#lib/features/connections/attempt.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, connectAt, lacks, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { answerOfAcme } from '#tests/support/fakes/connect-acme.ts'

test('the user connects: the model receives exactly {connected, integration, slug}, and continues (002-7, 002-9, 002-10)', async () => {
  const world = await withAcme()
  const { session } = world
  const { outcome } = await session.says('connect acme')
  expect(outcome).toBe('parked')
  const call = await lacks(session, 'request_connection')
  expect(call).toMatchObject({
    where: 'browser',
    title: expect.stringContaining('Acme'),
    render: {
      kind: 'connect',
      integration: 'acme',
      slug: 'acme',
      service: 'Acme',
      modes: ['oauth', 'device']
    }
  })
  const done = session.ends()
  const { text } = await connectAt(world, session, call)
  expect(text).toContain('"connected":true')
  const settledCall = await session.settles(call)
  expect(settledCall.output).toEqual({ connected: true, integration: 'acme', slug: 'acme' })
  expect(settledCall).toMatchObject({ state: 'answered', answeredBy: 'Ann' })
  await session.reads('acme is connected')
  await done
  const { connections } = await listConnections(world.ctx)
  expect(connections).toMatchObject([
    {
      integration: 'acme',
      state: 'active',
      account: 'ada.okafor@acme.example',
      sharing: 'session',
      mode: 'oauth'
    }
  ])
  await session.says('use acme-list-orders {}')
  await session.reads('`acme-list-orders` answered')
})

test('an account that is already connected is not requested again', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const done = session.ends()
  await connectAt(world, session, call)
  await done
  const { outcome } = await session.says('connect acme')
  expect(outcome).toBe('done')
  const { calls } = await session.get()
  expect(calls.at(-1)).toMatchObject({ answeredBy: 'server', output: { connected: true } })
})

test('if the user denies at the provider, users see the provider’s error, and the model does not', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const { text } = await connectAt(world, session, call, { answer: 'deny' })
  expect(text).toContain('access_denied')
  const settledCall = await session.settles(call)
  expect(settledCall.output).toEqual({
    connected: false,
    integration: 'acme',
    slug: 'acme',
    reason: 'failed'
  })
  expect(settledCall.reason).toContain('access_denied')
  expect((await listConnections(world.ctx)).connections).toEqual([])
})

test('a callback is valid once: requesting the same URL again changes nothing', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const browser = new Browser(world.origin)
  const { url } = await begin(world.ctx, session, await lacks(session, 'request_connection'))
  const callbackUrl = await answerOfAcme(browser, url)
  expect((await browser.open(callbackUrl.href)).text).toContain('"connected":true')
  const [first] = (await listConnections(world.ctx)).connections
  const repeated = await browser.open(callbackUrl.href)
  expect(repeated.status).toBe(403)
  expect((await listConnections(world.ctx)).connections).toEqual([first])
})

test('a callback is valid in the browser that started it: another browser is refused, and the attempt stays valid', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const browser = new Browser(world.origin)
  const { url } = await begin(world.ctx, session, await lacks(session, 'request_connection'))
  const callbackUrl = await answerOfAcme(browser, url)
  const other = await new Browser(world.origin).open(callbackUrl.href)
  expect(other.status).toBe(403)
  expect((await new Browser(world.origin).open(url)).status).toBe(403)
  expect((await browser.open(callbackUrl.href)).text).toContain('"connected":true')
})

/** Returns a session that asks for two accounts at once. */
async function sessionWithTwoCalls() {
  const world = await withAcme()
  const { session } = world
  await session.says(
    'use request_connection {"integration":"acme"}\nuse request_connection {"integration":"acme","slug":"other"}'
  )
  const { calls } = await session.get()
  const [first, second] = calls.filter(({ kind }) => kind === 'connection')
  if (first === undefined || second === undefined) throw new Error('It asks for two.')
  return { world, session, first, second, browser: new Browser(world.origin) }
}

test('a code is valid for its own attempt: with another one it is refused', async () => {
  const { world, session, first, second, browser } = await sessionWithTwoCalls()
  const firstUrl = await answerOfAcme(browser, (await begin(world.ctx, session, first)).url)
  const secondUrl = await answerOfAcme(browser, (await begin(world.ctx, session, second)).url)
  const swappedUrl = new URL(firstUrl)
  swappedUrl.searchParams.set('code', secondUrl.searchParams.get('code') ?? '')
  expect((await browser.open(swappedUrl.href)).text).toContain('invalid_grant')
  expect((await session.settles(first)).output).toMatchObject({
    connected: false,
    slug: 'acme',
    reason: 'failed'
  })
})

test('two attempts at once each settle their own call', async () => {
  const { world, session, first, second, browser } = await sessionWithTwoCalls()
  const firstAttempt = await begin(world.ctx, session, first)
  const secondAttempt = await begin(world.ctx, session, second)
  const firstCallback = await answerOfAcme(browser, firstAttempt.url)
  const secondCallback = await answerOfAcme(browser, secondAttempt.url, 'deny')
  await browser.open(secondCallback.href)
  expect((await session.settles(second)).output).toMatchObject({ connected: false, slug: 'other' })
  expect(await getAttempt(world.ctx, { attemptId: firstAttempt.attemptId })).toMatchObject({ state: 'open' })
  await browser.open(firstCallback.href)
  expect((await session.settles(first)).output).toEqual({
    connected: true,
    integration: 'acme',
    slug: 'acme'
  })
})

test('a callback with another issuer, or without one, is refused (RFC 9207)', async () => {
  const world = await withAcme()
  const { session } = world
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    (url: URL) => url.searchParams.delete('iss')
  ]) {
    await session.says('connect acme')
    const { calls } = await session.get()
    const call = calls.findLast(({ state }) => state === 'open')!
    const browser = new Browser(world.origin)
    const callbackUrl = await answerOfAcme(browser, (await begin(world.ctx, session, call)).url)
    change(callbackUrl)
    const done = session.ends()
    expect((await browser.open(callbackUrl.href)).text).toContain('"connected":false')
    expect((await session.settles(call)).output).toMatchObject({ connected: false, reason: 'failed' })
    await done
  }
  expect((await listConnections(world.ctx)).connections).toEqual([])
})

test('a state that the server did not issue gives no access', async () => {
  const world = await withAcme()
  const { status } = await new Browser(world.origin).open('/api/connections/callback?state=made-up&code=x')
  expect(status).toBe(403)
})

test('a provider that cannot be reached ends the attempt with an error, and settles the call', async () => {
  const world = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  await saveIntegration(world.ctx, {
    integration: 'acme',
    clientSecret: 'secret',
    config: {
      service: 'Acme',
      apiBase: 'http://127.0.0.1:9/',
      oauth: { issuer: 'http://127.0.0.1:9', clientId: 'waystation', scopes: [] }
    }
  })
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const { url } = await begin(world.ctx, session, call)
  const { text } = await new Browser(world.origin).open(url)
  expect(text).toContain('Acme')
  const settledCall = await session.settles(call)
  expect(settledCall.output).toMatchObject({ connected: false, reason: 'failed' })
})

test('a browser that did not start the connection is asked before it leaves for the provider (002-13)', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const { url } = await begin(world.ctx, session, await lacks(session, 'request_connection'))
  const page = await new Browser(world.origin).open(url.replace('?go', ''))
  expect(page.url.pathname).toMatch(/^\/connect\//)
  expect(page.text).toMatch(/href="[^"]+\?go=/)
  expect(page.text).toContain('Ann')
  expect(page.text).not.toMatch(/<script/)
})

test('the message to the opener contains no token and no code', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const { text, url } = await connectAt(world, session, await lacks(session, 'request_connection'))
  expect(url.pathname).toMatch(/^\/connect\/done\//)
  expect(url.search).toBe('')
  const [, message] = /const message = (.*);/.exec(text) ?? []
  expect(Object.keys(JSON.parse(message ?? '{}'))).toEqual([
    'type',
    'attemptId',
    'integration',
    'slug',
    'connected'
  ])
  expect(text).toContain(`postMessage(message, "${world.origin}")`)
})
