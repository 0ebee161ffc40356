import { expect, test } from 'vitest'
import { dropAttempt, getAttempt } from '#lib/features/connections/attempt.ts'
import { takePoll } from '#lib/features/connections/device.ts'
import { saveIntegration } from '#lib/features/connections/integrations.ts'
import { listConnections } from '#lib/features/connections/list.ts'
import { pollDevice, pollLate } from '#lib/features/connections/poll-device.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Browser } from '#tests/support/browser/browser.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { answerOfAcme, enterCode } from '#tests/support/fakes/connect-acme.ts'
import { begin, lacks, withAcme } from '#tests/support/fakes/connecting.ts'
import { startFakeService } from '#tests/support/fakes/fake-service.ts'

/** What the window shows: the code, and where it is entered. */
function shownIn(text: string) {
  const [, code = ''] = /<p class="code">([^<]+)<\/p>/.exec(text) ?? []
  const [, address = ''] = /class="button primary" href="([^"]+)"/.exec(text) ?? []
  return { code, address: address.replaceAll('&amp;', '&') }
}

/** A session that waits for an account at Acme, with the window open in which a code stands. */
async function withCode() {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const browser = new Browser(world.origin)
  const { url, attemptId } = await begin(world.ctx, session, call, 'device')
  const { text } = await browser.open(url)
  return { ...world, call, browser, url, attemptId, text, shown: shownIn(text) }
}

const isAsked = async (ctx: Ctx, attemptId: string) => {
  const [row] = await ctx.sql<{ seconds: number; due: boolean }[]>`
    select poll_seconds as seconds, poll_at <= clock_timestamp() as due from connection_attempts where id = ${attemptId}`
  return row
}

test('a code is shown here and entered anywhere: the call is settled, the agent goes on, the window ends (RFC 8628)', async () => {
  const { ctx, session, call, browser, url, text, shown, origin, pass } = await withCode()
  expect(text).toContain('Acme')
  expect(shown.code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  expect(shownIn((await browser.open(url)).text)).toEqual(shown)
  await enterCode(new Browser(origin), shown)
  const done = session.ends()
  await pass(5)
  const settled = await session.settles(call)
  expect(settled).toMatchObject({
    state: 'answered',
    answeredBy: 'Ann',
    output: { connected: true, integration: 'acme', slug: 'acme' }
  })
  await done
  const after = await browser.open(url)
  expect(after.url.pathname).toMatch(/^\/connect\/done\//)
  expect(after.text).toContain('"connected":true')
  expect((await listConnections(ctx)).connections).toMatchObject([
    { integration: 'acme', state: 'active', mode: 'oauth', account: 'ada.okafor@acme.example' }
  ])
  await session.says('use acme-list-orders {}')
  await session.reads('`acme-list-orders` answered')
})

test('until it is entered the provider is asked again and again, and the call stays open', async () => {
  const { ctx, session, attemptId, shown, origin, call } = await withCode()
  const due = () =>
    ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  for (const _ of [1, 2]) {
    await due()
    await pollDevice(ctx, { attemptId })
    expect(await isAsked(ctx, attemptId)).toEqual({ seconds: 5, due: false })
    expect(await getAttempt(ctx, { attemptId })).toEqual({ attemptId, state: 'open' })
  }
  await enterCode(new Browser(origin), shown)
  await due()
  await pollDevice(ctx, { attemptId })
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
})

test('the person says no there: failed, with the provider’s words', async () => {
  const { session, call, shown, origin, pass, browser, url } = await withCode()
  await enterCode(new Browser(origin), shown, 'deny')
  await pass(5)
  const settled = await session.settles(call)
  expect(settled.output).toEqual({ connected: false, integration: 'acme', slug: 'acme', reason: 'failed' })
  expect(settled.reason).toContain('access_denied')
  expect((await browser.open(url)).text).toContain('"connected":false')
})

test('a code that nobody entered in time is over, and another can be begun for the same call', async () => {
  const { ctx, session, attemptId, shown, origin, pass, browser, url, call } = await withCode()
  await pass(601)
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'expired' })
  expect((await browser.open(url)).status).toBe(403)
  const again = await begin(ctx, session, call, 'device')
  const next = shownIn((await new Browser(origin).open(again.url)).text)
  expect(next.code).not.toBe(shown.code)
  await enterCode(new Browser(origin), next)
  await pass(5)
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
})

test('the code belongs to the browser that opened it first', async () => {
  const { url, origin, shown } = await withCode()
  const other = await new Browser(origin).open(url)
  expect(other.status).toBe(403)
  expect(other.text).not.toContain(shown.code)
})

test('given up: what is entered afterwards connects nothing', async () => {
  const { ctx, attemptId, shown, origin, pass, as } = await withCode()
  await expect(dropAttempt(as('Ben'), { attemptId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await dropAttempt(ctx, { attemptId })).toMatchObject({ state: 'failed', words: expect.any(String) })
  await enterCode(new Browser(origin), shown)
  await pass(5)
  await pollLate(ctx)
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('given up while its window is away for consent: the answer is not taken', async () => {
  const world = await withAcme()
  const { session } = world
  await session.says('connect acme')
  const call = await lacks(session, 'request_connection')
  const browser = new Browser(world.origin)
  const { url, attemptId } = await begin(world.ctx, session, call)
  const back = await answerOfAcme(browser, url)
  await dropAttempt(world.ctx, { attemptId })
  expect((await browser.open(back.href)).status).toBe(403)
  expect((await listConnections(world.ctx)).connections).toEqual([])
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('a process that dies while it asks delays the answer, and loses nothing', async () => {
  const { ctx, attemptId, shown, origin, session, call } = await withCode()
  await enterCode(new Browser(origin), shown)
  await ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  // It took the poll, and never came back.
  expect(await takePoll(ctx, attemptId)).toBeDefined()
  await pollLate(ctx)
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'open' })
  await ctx.sql`update connection_attempts set poll_at = poll_at - interval '1 minute' where id = ${attemptId}`
  await pollLate(ctx)
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
})

/** A provider of codes whose answers the test gives, and an attempt there. */
async function withProvider(tokenEndpoint?: string) {
  const world = await withAcme({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const provider = await startFakeService('')
  const said = { uri: 'https://code.example/', token: { error: 'authorization_pending' } as object }
  provider.answers = path =>
    path === '/device'
      ? {
          device_code: 'planted',
          user_code: 'AB-CD',
          verification_uri: said.uri,
          expires_in: 300,
          interval: 2
        }
      : said.token
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
  await saveIntegration(world.ctx, { integration: 'acme', config })
  await world.session.says('connect acme')
  const call = await lacks(world.session, 'request_connection')
  const opens = async () => {
    const { url, attemptId } = await begin(world.ctx, world.session, call)
    return { attemptId, url, text: (await new Browser(world.origin).open(url)).text }
  }
  const asks = () => provider.asked.filter(({ path }) => path === '/token')
  const due = (attemptId: string) =>
    world.ctx.sql`update connection_attempts set poll_at = clock_timestamp() where id = ${attemptId}`
  return { ...world, provider, said, call, opens, asks, due }
}

test('a provider that only gives codes needs no more than its two endpoints and a client that has no secret', async () => {
  const { ctx, opens, asks, due, said, session, call, provider } = await withProvider()
  expect(call.render).toMatchObject({ modes: ['device'] })
  const { text, attemptId } = await opens()
  expect(text).toContain('code.example/')
  expect(provider.asked[0]?.body).toBe('scope=read&client_id=waystation')
  said.token = { access_token: 'at', token_type: 'bearer', expires_in: 60 }
  await due(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(asks()[0]?.body).toBe(
    'device_code=planted&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=waystation'
  )
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
  expect((await listConnections(ctx)).connections).toMatchObject([{ scopes: ['read'] }])
})

test('a provider is asked no faster than it wants (RFC 8628, 3.5), and by one process at a time', async () => {
  const { ctx, opens, asks, due, said } = await withProvider()
  const { attemptId } = await opens()
  await pollDevice(ctx, { attemptId })
  expect(asks()).toHaveLength(0)
  said.token = { error: 'slow_down' }
  await due(attemptId)
  await Promise.all([1, 2, 3].map(() => pollDevice(ctx, { attemptId })))
  expect(asks()).toHaveLength(1)
  expect(await isAsked(ctx, attemptId)).toEqual({ seconds: 7, due: false })
})

test('a provider that cannot be reached is asked again, each time later', async () => {
  const { ctx, opens, due } = await withProvider('http://127.0.0.1:9/token')
  const { attemptId } = await opens()
  for (const seconds of [4, 8, 16, 32, 60, 60]) {
    await due(attemptId)
    await pollDevice(ctx, { attemptId })
    expect(await isAsked(ctx, attemptId)).toEqual({ seconds, due: false })
  }
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'open' })
})

test('a code ends with its provider’s word for it, and its attempt with it', async () => {
  const { ctx, opens, due, said, session } = await withProvider()
  const { attemptId } = await opens()
  said.token = { error: 'expired_token' }
  await due(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(await getAttempt(ctx, { attemptId })).toMatchObject({ state: 'expired' })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test.each(['javascript:alert(1)', 'http://code.example/', 'data:text/html,x', '/device'])(
  'an address that is no page is never a link: %s',
  async uri => {
    const { said, opens } = await withProvider()
    said.uri = uri
    const { text } = await opens()
    expect(text).not.toContain('href="')
  }
)

test('given up while its provider answers: what was granted is given back, and the call still asks', async () => {
  const { ctx, opens, due, said, provider, session } = await withProvider()
  const { attemptId } = await opens()
  said.token = { access_token: 'at', token_type: 'bearer' }
  const { answers } = provider
  provider.answers = async path => {
    if (path === '/token') await dropAttempt(ctx, { attemptId })
    return answers(path)
  }
  await due(attemptId)
  await pollDevice(ctx, { attemptId })
  expect((await listConnections(ctx)).connections).toEqual([])
  expect(provider.asked.at(-1)).toMatchObject({
    path: '/revoke',
    body: 'token=at&client_id=waystation'
  })
  expect((await session.get()).calls).toMatchObject([{ state: 'open' }])
})

test('the service is moved elsewhere while its provider answers: what was granted goes back to whom it came from, and nowhere else', async () => {
  const { ctx, opens, due, said, provider } = await withProvider()
  const { attemptId } = await opens()
  const elsewhere = await startFakeService('', 'at')
  said.token = { access_token: 'at', token_type: 'bearer' }
  const { answers } = provider
  provider.answers = async path => {
    if (path === '/token')
      await saveIntegration(ctx, {
        integration: 'acme',
        config: {
          service: 'Acme',
          apiBase: elsewhere.url,
          account: { path: 'user', field: 'login' },
          oauth: {
            authorizationEndpoint: `${elsewhere.url}/authorize`,
            tokenEndpoint: `${elsewhere.url}/token`,
            revocationEndpoint: `${elsewhere.url}/revoke`,
            clientId: 'waystation',
            clientAuth: 'none'
          }
        }
      })
    return answers(path)
  }
  await due(attemptId)
  await pollDevice(ctx, { attemptId })
  expect(elsewhere.asked).toEqual([])
  expect(provider.asked.at(-1)).toMatchObject({ path: '/revoke' })
  expect((await listConnections(ctx)).connections).toEqual([])
})

test('a poll that cannot be made holds up no other', async () => {
  allowErrors(/Failed task/)
  const { ctx, session, call, attemptId, shown, origin } = await withCode()
  await enterCode(new Browser(origin), shown)
  const broken = await begin(ctx, session, call, 'device')
  await new Browser(origin).open(broken.url)
  // Sealed by a key that nobody has, and later than the other.
  await ctx.sql`
    update connection_attempts set poll_at = clock_timestamp() - case when id = ${attemptId} then interval '1 minute' else '2 minutes' end,
      sealed = case when id = ${attemptId} then sealed else 'v1.lost.a.b' end`
  await pollLate(ctx)
  expect((await session.settles(call)).output).toMatchObject({ connected: true })
})
