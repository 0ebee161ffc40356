import { expect, test } from 'vitest'
import { cancelAttempt, getAttempt } from '#lib/features/connections/attempt.ts'
import { claimPoll } from '#lib/features/connections/device.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { enqueueOverduePolls, pollDevice } from '#lib/features/connections/poll-device.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { begin, waitForConnectionCall, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { answerOfAcme, enterCode } from '#tests/support/fakes/connect-acme.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'

/** Returns the code that the page shows, and the URL where the user enters it. */
function parsePage(text: string) {
  const [, code = ''] = /<p class="code">([^<]+)<\/p>/.exec(text) ?? []
  const [, address = ''] = /class="button primary" href="([^"]+)"/.exec(text) ?? []
  return { code, address: address.replaceAll('&amp;', '&') }
}

/** Returns a session that waits for an account at Acme, with the page open that shows the code. */
async function withCode() {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const browser = new Browser(server.origin)
  const { url, attemptId } = await begin(server.ctx, session, call, 'device')
  const { text } = await browser.open(url)
  return { ...server, call, browser, url, attemptId, text, shown: parsePage(text) }
}

const pollState = async (ctx: Ctx, attemptId: string) => {
  const [row] = await ctx.sql<{ seconds: number; due: boolean }[]>`
    select poll_seconds as seconds, poll_at <= clock_timestamp() as due from connection_attempts where id = ${attemptId}`
  return row
}

test('a code can be entered on any device: the call settles, the agent continues, and the page closes (RFC 8628)', async () => {
  const { ctx, session, call, browser, url, text, shown, origin, advanceTime } = await withCode()
  expect(text).toContain('Acme')
  expect(shown.code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  expect(parsePage((await browser.open(url)).text)).toEqual(shown)
  await enterCode(new Browser(origin), shown)
  const done = session.waitForEnd()
  await advanceTime(5)
  const settledCall = await session.waitForSettled(call)
  expect(settledCall).toMatchObject({
    state: 'answered',
    answeredBy: 'Ann',
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  await done
  const pageAfter = await browser.open(url)
  expect(pageAfter.url.pathname).toMatch(/^\/connect\/done\//)
  expect(pageAfter.text).toContain('"connected":true')
  expect((await listConnections(ctx)).connections).toMatchObject([
    { integration: 'acme', state: 'active', mode: 'oauth', account: 'ada.okafor@acme.example' }
  ])
  await session.runTurn('use acme-list-orders {}')
  await session.waitForText('`acme-list-orders` answered')
})

test('until the code is entered, the server polls the provider and the call stays open', async () => {
  const { ctx, session, attemptId, shown, origin, call } = await withCode()
  const makeDue = () =>
    ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  for (const _ of [1, 2]) {
    await makeDue()
    await pollDevice(ctx, { attemptId })
    expect(await pollState(ctx, attemptId)).toEqual({ seconds: 5, due: false })
    expect(await getAttempt(ctx, { attemptId })).toEqual({ attemptId, state: 'open' })
  }
  await enterCode(new Browser(origin), shown)
  await makeDue()
  await pollDevice(ctx, { attemptId })
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
})

test('if the user denies at the provider, the call fails with the provider’s error', async () => {
  const { session, call, shown, origin, advanceTime, browser, url } = await withCode()
  await enterCode(new Browser(origin), shown, 'deny')
  await advanceTime(5)
  const settledCall = await session.waitForSettled(call)
  expect(settledCall.output).toEqual({
    connected: false,
    integration: 'acme',
    slug: 'acme',
    reason: 'failed'
  })
  expect(settledCall.reason).toContain('access_denied')
  expect((await browser.open(url)).text).toContain('"connected":false')
})

test('a code that is not entered in time expires, and the same call can start another one', async () => {
  const { ctx, session, attemptId, shown, origin, advanceTime, browser, url, call } = await withCode()
  await advanceTime(601)
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'expired' })
  expect((await browser.open(url)).status).toBe(403)
  const nextAttempt = await begin(ctx, session, call, 'device')
  const next = parsePage((await new Browser(origin).open(nextAttempt.url)).text)
  expect(next.code).not.toBe(shown.code)
  await enterCode(new Browser(origin), next)
  await advanceTime(5)
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
})

test('a code belongs to the browser that opened it first', async () => {
  const { url, origin, shown } = await withCode()
  const other = await new Browser(origin).open(url)
  expect(other.status).toBe(403)
  expect(other.text).not.toContain(shown.code)
})

test('entering the code of a canceled attempt connects nothing', async () => {
  const { ctx, attemptId, shown, origin, advanceTime, actAs } = await withCode()
  await expect(cancelAttempt(actAs('Ben'), { attemptId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await cancelAttempt(ctx, { attemptId })).toMatchObject({
    state: 'failed',
    words: expect.any(String)
  })
  await enterCode(new Browser(origin), shown)
  await advanceTime(5)
  await enqueueOverduePolls(ctx)
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('an answer from the consent page of a canceled attempt is not accepted', async () => {
  const server = await withAcme()
  const { session } = server
  await session.runTurn('connect acme')
  const call = await waitForConnectionCall(session, 'request_connection')
  const browser = new Browser(server.origin)
  const { url, attemptId } = await begin(server.ctx, session, call)
  const callbackUrl = await answerOfAcme(browser, url)
  await cancelAttempt(server.ctx, { attemptId })
  expect((await browser.open(callbackUrl.href)).status).toBe(403)
  expect((await listConnections(server.ctx)).connections).toEqual([])
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('a process that dies while it polls delays the answer, and loses nothing', async () => {
  const { ctx, attemptId, shown, origin, session, call } = await withCode()
  await enterCode(new Browser(origin), shown)
  await ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  // Simulates a process that took the poll and died.
  expect(await claimPoll(ctx, attemptId)).toBeDefined()
  await enqueueOverduePolls(ctx)
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'open' })
  await ctx.sql`update connection_attempts set poll_at = poll_at - interval '1 minute' where id = ${attemptId}`
  await enqueueOverduePolls(ctx)
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
})

/** Returns a device-code provider whose responses the test controls, and an attempt with it. */
async function withProvider(tokenEndpoint?: string) {
  const server = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const provider = await startFakeService('')
  const providerConfig = { uri: 'https://code.example/', token: { error: 'authorization_pending' } as object }
  provider.answers = path =>
    path === '/device'
      ? {
          device_code: 'planted',
          user_code: 'AB-CD',
          verification_uri: providerConfig.uri,
          expires_in: 300,
          interval: 2
        }
      : providerConfig.token
  const config = {
    service: 'Acme',
    apiBase: provider.url,
    oauth: {
      tokenEndpoint: tokenEndpoint ?? `${provider.url}/token`,
      deviceAuthorizationEndpoint: `${provider.url}/device`,
      revocationEndpoint: `${provider.url}/revoke`,
      clientId: 'waystation',
      clientAuth: 'none',
      grants: ['device_code'],
      scopes: ['read']
    }
  }
  await saveIntegration(server.ctx, { integration: 'acme', config })
  await server.session.runTurn('connect acme')
  const call = await waitForConnectionCall(server.session, 'request_connection')
  const openPage = async () => {
    const { url, attemptId } = await begin(server.ctx, server.session, call)
    return { attemptId, url, text: (await new Browser(server.origin).open(url)).text }
  }
  const tokenRequests = () => provider.asked.filter(({ path }) => path === '/token')
  const makeDue = (attemptId: string) =>
    server.ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  return {
    ...server,
    provider,
    said: providerConfig,
    call,
    opens: openPage,
    asks: tokenRequests,
    due: makeDue
  }
}

test('a provider with only the device flow needs two endpoints and a public client', async () => {
  const {
    ctx,
    opens: openPage,
    asks: tokenRequests,
    due: makeDue,
    said: providerConfig,
    session,
    call,
    provider
  } = await withProvider()
  expect(call.render).toMatchObject({ modes: ['device'] })
  const { text, attemptId } = await openPage()
  expect(text).toContain('code.example/')
  expect(provider.asked[0]?.body).toBe('scope=read&client_id=waystation')
  providerConfig.token = { access_token: 'at', token_type: 'bearer', expires_in: 60 }
  await makeDue(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(tokenRequests()[0]?.body).toBe(
    'device_code=planted&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=waystation'
  )
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
  expect((await listConnections(ctx)).connections).toMatchObject([{ scopes: ['read'] }])
})

test('a provider is polled no faster than it permits (RFC 8628, 3.5), and by one process at a time', async () => {
  const {
    ctx,
    opens: openPage,
    asks: tokenRequests,
    due: makeDue,
    said: providerConfig
  } = await withProvider()
  const { attemptId } = await openPage()
  await pollDevice(ctx, { attemptId })
  expect(tokenRequests()).toHaveLength(0)
  providerConfig.token = { error: 'slow_down' }
  await makeDue(attemptId)
  await Promise.all([1, 2, 3].map(() => pollDevice(ctx, { attemptId })))
  expect(tokenRequests()).toHaveLength(1)
  expect(await pollState(ctx, attemptId)).toEqual({ seconds: 7, due: false })
})

test('an unreachable provider is polled again with increasing delays', async () => {
  const { ctx, opens: openPage, due: makeDue } = await withProvider('http://127.0.0.1:9/token')
  const { attemptId } = await openPage()
  for (const seconds of [4, 8, 16, 32, 60, 60]) {
    await makeDue(attemptId)
    await pollDevice(ctx, { attemptId })
    expect(await pollState(ctx, attemptId)).toEqual({ seconds, due: false })
  }
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'open' })
})

test('an error code from the provider ends the code and its attempt', async () => {
  const { ctx, opens: openPage, due: makeDue, said: providerConfig, session } = await withProvider()
  const { attemptId } = await openPage()
  providerConfig.token = { error: 'expired_token' }
  await makeDue(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'expired' })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test.each(['javascript:alert(1)', 'http://code.example/', 'data:text/html,x', '/device'])(
  'a verification URL that is not a web page is never a link: %s',
  async uri => {
    const { said: providerConfig, opens: openPage } = await withProvider()
    providerConfig.uri = uri
    const { text } = await openPage()
    expect(text).not.toContain('href="')
  }
)

test('a grant that arrives for a canceled attempt is revoked, and the call still asks', async () => {
  const { ctx, opens: openPage, due: makeDue, said: providerConfig, provider, session } = await withProvider()
  const { attemptId } = await openPage()
  providerConfig.token = { access_token: 'at', token_type: 'bearer' }
  const { answers } = provider
  provider.answers = async path => {
    if (path === '/token') await cancelAttempt(ctx, { attemptId })
    return answers(path)
  }
  await makeDue(attemptId)
  await pollDevice(ctx, { attemptId })
  expect((await listConnections(ctx)).connections).toEqual([])
  expect(provider.asked.at(-1)).toMatchObject({
    path: '/revoke',
    body: 'token=at&client_id=waystation'
  })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('if the service URL changes while its provider responds, the grant is revoked at the old provider and nowhere else', async () => {
  const { ctx, opens: openPage, due: makeDue, said: providerConfig, provider } = await withProvider()
  const { attemptId } = await openPage()
  const otherService = await startFakeService('', 'at')
  providerConfig.token = { access_token: 'at', token_type: 'bearer' }
  const { answers } = provider
  provider.answers = async path => {
    if (path === '/token')
      await saveIntegration(ctx, {
        integration: 'acme',
        config: {
          service: 'Acme',
          apiBase: otherService.url,
          account: { path: 'user', field: 'login' },
          oauth: {
            authorizationEndpoint: `${otherService.url}/authorize`,
            tokenEndpoint: `${otherService.url}/token`,
            revocationEndpoint: `${otherService.url}/revoke`,
            clientId: 'waystation',
            clientAuth: 'none'
          }
        }
      })
    return answers(path)
  }
  await makeDue(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(otherService.asked).toEqual([])
  expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke' })
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('a poll that fails does not delay others', async () => {
  allowErrors(/Failed task/)
  const { ctx, session, call, attemptId, shown, origin } = await withCode()
  await enterCode(new Browser(origin), shown)
  const brokenAttempt = await begin(ctx, session, call, 'device')
  await new Browser(origin).open(brokenAttempt.url)
  // It is encrypted with an unknown key, and is due later than the other one.
  await ctx.sql`
    update connection_attempts set poll_at = clock_timestamp() - case when id = ${attemptId} then interval '1 minute' else '2 minutes' end,
      sealed = case when id = ${attemptId} then sealed else 'v1.lost.a.b' end`
  await enqueueOverduePolls(ctx)
  expect((await session.waitForSettled(call)).output).toMatchObject({ connected: true })
})
