import { expect, test } from 'vitest'
import { getAttempt } from '#lib/features/connections/attempt.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { begin, connectAt, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { answerOfAcme } from '#tests/support/fakes/connect-acme.ts'

test('the user connects: the model receives exactly {connected, integration, slug}, and continues (002-7, 002-9, 002-10)', async () => {
  const server = await withAcme()
  const { session } = server
  const { outcome } = await session.runTurn('connect acme')
  expect(outcome).toBe('parked')
  const call = await waitForConnectionCall(session, 'request_connection')
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
  const done = session.waitForEnd()
  const { text } = await connectAt(server, session, call)
  expect(text).toContain('"connected":true')
  const settledCall = await session.waitForSettled(call)
  expect(settledCall.output).toEqual({ connected: true, integration: 'acme', slug: 'acme' })
  expect(settledCall).toMatchObject({ state: 'answered', answeredBy: 'Ann' })
  await session.waitForText('acme is connected')
  await done
  const { connections } = await listConnections(server.ctx)
  expect(connections).toMatchObject([
    {
      integration: 'acme',
      state: 'active',
      account: 'ada.okafor@acme.example',
      sharing: 'session',
      mode: 'oauth'
    }
  ])
  await session.runTurn('use acme-list-orders {}')
  await session.waitForText('`acme-list-orders` answered')
})

test('an account that is already connected is not requested again', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const done = session.waitForEnd()
  await connectAt(server, session, call)
  await done
  const { outcome } = await session.runTurn('connect acme')
  expect(outcome).toBe('done')
  const { calls } = await session.get()
  expect(calls.at(-1)).toMatchObject({ answeredBy: 'server', output: { connected: true } })
})

test('002-10, 002-11: if the user denies at the provider, users see the provider’s error, and the model does not', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const { text } = await connectAt(server, session, call, { answer: 'deny' })
  expect(text).toContain('access_denied')
  const settledCall = await session.waitForSettled(call)
  expect(settledCall.output).toEqual({
    connected: false,
    integration: 'acme',
    slug: 'acme',
    reason: 'failed'
  })
  expect(settledCall.reason).toContain('access_denied')
  expect((await listConnections(server.ctx)).connections).toEqual([])
})

test('002-13: a callback is valid once: requesting the same URL again changes nothing', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const browser = new Browser(server.origin)
  const { url } = await begin(server.ctx, session, await waitForConnectionCall(session, 'request_connection'))
  const callbackUrl = await answerOfAcme(browser, url)
  expect((await browser.open(callbackUrl.href)).text).toContain('"connected":true')
  const [first] = (await listConnections(server.ctx)).connections
  const repeated = await browser.open(callbackUrl.href)
  expect(repeated.status).toBe(403)
  expect((await listConnections(server.ctx)).connections).toEqual([first])
})

test('002-13: a callback is valid in the browser that started it: another browser is refused, and the attempt stays valid', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const browser = new Browser(server.origin)
  const { url } = await begin(server.ctx, session, await waitForConnectionCall(session, 'request_connection'))
  const callbackUrl = await answerOfAcme(browser, url)
  const other = await new Browser(server.origin).open(callbackUrl.href)
  expect(other.status).toBe(403)
  expect((await new Browser(server.origin).open(url)).status).toBe(403)
  expect((await browser.open(callbackUrl.href)).text).toContain('"connected":true')
})

/** Returns a session that asks for two accounts at once. */
async function sessionWithTwoCalls() {
  const server = await withAcme()
  const { session } = server
  await session.runTurn(
    'use request_connection {"integration":"acme"}\nuse request_connection {"integration":"acme","slug":"other"}'
  )
  const { calls } = await session.get()
  const [first, second] = calls.filter(({ kind }) => kind === 'connection')
  if (first === undefined || second === undefined) throw new Error('It asks for two.')
  return { server, session, first, second, browser: new Browser(server.origin) }
}

test('a code is valid for its own attempt: with another one it is refused', async () => {
  const { server, session, first, second, browser } = await sessionWithTwoCalls()
  const firstUrl = await answerOfAcme(browser, (await begin(server.ctx, session, first)).url)
  const secondUrl = await answerOfAcme(browser, (await begin(server.ctx, session, second)).url)
  const swappedUrl = new URL(firstUrl)
  swappedUrl.searchParams.set('code', secondUrl.searchParams.get('code') ?? '')
  expect((await browser.open(swappedUrl.href)).text).toContain('invalid_grant')
  expect((await session.waitForSettled(first)).output).toMatchObject({
    connected: false,
    slug: 'acme',
    reason: 'failed'
  })
})

test('two attempts at once each settle their own call', async () => {
  const { server, session, first, second, browser } = await sessionWithTwoCalls()
  const firstAttempt = await begin(server.ctx, session, first)
  const secondAttempt = await begin(server.ctx, session, second)
  const firstCallback = await answerOfAcme(browser, firstAttempt.url)
  const secondCallback = await answerOfAcme(browser, secondAttempt.url, 'deny')
  await browser.open(secondCallback.href)
  expect((await session.waitForSettled(second)).output).toMatchObject({ connected: false, slug: 'other' })
  expect(await getAttempt(server.ctx, { attemptId: firstAttempt.attemptId })).toMatchObject({ state: 'open' })
  await browser.open(firstCallback.href)
  expect((await session.waitForSettled(first)).output).toEqual({
    connected: true,
    integration: 'acme',
    slug: 'acme'
  })
})

test('a callback with another issuer, or without one, is refused (RFC 9207)', async () => {
  const server = await withAcme()
  const { session } = server
  for (const change of [
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    (url: URL) => url.searchParams.delete('iss')
  ]) {
    await session.runTurn('connect acme')
    const { calls } = await session.get()
    const call = calls.findLast(({ state }) => state === 'open')!
    const browser = new Browser(server.origin)
    const callbackUrl = await answerOfAcme(browser, (await begin(server.ctx, session, call)).url)
    change(callbackUrl)
    const done = session.waitForEnd()
    expect((await browser.open(callbackUrl.href)).text).toContain('"connected":false')
    expect((await session.waitForSettled(call)).output).toMatchObject({ connected: false, reason: 'failed' })
    await done
  }
  expect((await listConnections(server.ctx)).connections).toEqual([])
})

test('002-13: a state that the server did not issue gives no access', async () => {
  const server = await withAcme()
  const { status } = await new Browser(server.origin).open('/api/connections/callback?state=made-up&code=x')
  expect(status).toBe(403)
})

test('a provider that cannot be reached ends the attempt with an error, and settles the call', async () => {
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  await saveIntegration(server.ctx, {
    integration: 'acme',
    clientSecret: 'secret',
    config: {
      service: 'Acme',
      apiBase: 'http://127.0.0.1:9/',
      oauth: { issuer: 'http://127.0.0.1:9', clientId: 'waystation', scopes: [] }
    }
  })
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const { url } = await begin(server.ctx, session, call)
  const { text } = await new Browser(server.origin).open(url)
  expect(text).toContain('Acme')
  const settledCall = await session.waitForSettled(call)
  expect(settledCall.output).toMatchObject({ connected: false, reason: 'failed' })
})

test('a browser that did not start the connection is asked before it leaves for the provider (002-13)', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const { url } = await begin(server.ctx, session, await waitForConnectionCall(session, 'request_connection'))
  const page = await new Browser(server.origin).open(url.replace('?go', ''))
  expect(page.url.pathname).toMatch(/^\/connect\//)
  expect(page.text).toMatch(/href="[^"]+\?go=/)
  expect(page.text).toContain('Ann')
  expect(page.text).not.toMatch(/<script/)
})

test('the message to the opener contains no token and no code', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const { text, url } = await connectAt(
    server,
    session,
    await waitForConnectionCall(session, 'request_connection')
  )
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
  expect(text).toContain(`postMessage(message, "${server.origin}")`)
})
