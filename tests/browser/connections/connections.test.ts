import { connectionSender } from '@waystation/protocol/connection/connected-message.ts'
import { connectionOutcome } from '#components/session/wording/connect-words.ts'
import { acmeAt } from '#packages/sample-acme/src/client.ts'
import { authSecret, expect, type Page, type Response, test } from '#tests/browser/test.ts'
import {
  allow,
  callOf,
  connectionRequest,
  createOrderSession,
  deny,
  enterCode,
  openConnectWindow,
  openParkedSession,
  signInAtAcme
} from './acme.ts'

const dock = (page: Page) => page.locator('#waits')
const progress = (page: Page) => dock(page).getByTestId('connect-progress')
/** Returns the row of the call in the transcript. */
const row = (page: Page) => page.locator('[data-row] [data-toggle]')
/** True for the response to the start of an attempt. The card reads the state of the account at the same URL. */
const isStart = (response: Response) =>
  response.url().endsWith('/connect') && response.request().method() === 'POST'
const resultOf = async (page: Page, sessionId: string) => (await callOf(page, sessionId))?.output

test('once the account is connected, the window closes and the agent continues, and a reload changes nothing (002-7, 002-12)', async ({
  page,
  server,
  id
}) => {
  const slug = id('connected')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await expect(progress(page)).toHaveAttribute('data-phase', 'open')
  await signInAtAcme(popup)
  const closed = popup.waitForEvent('close')
  await allow(popup)
  await expect(page.locator('[data-face=idle]')).toBeVisible()
  await closed
  const call = await callOf(page, sessionId)
  expect(call.output).toEqual({ connected: true, integration: 'acme', slug })
  await expect(row(page)).toContainText(connectionOutcome(call) ?? 'no outcome')
  await expect(page.getByText(/^Waiting for you: /)).toBeHidden()
  await page.reload()
  await expect(row(page)).toContainText(connectionOutcome(call) ?? 'no outcome')
  await expect(dock(page)).toBeHidden()
})

test('a code from the window can be entered elsewhere, which closes the window and continues the agent (RFC 8628)', async ({
  page,
  server,
  browser,
  id
}) => {
  const slug = id('coded')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page, 'connect-by-device')
  const code = await popup.locator('.code').textContent()
  const address = await popup.getByRole('link').getAttribute('href')
  await popup.reload()
  await expect(popup.locator('.code')).toHaveText(code ?? '')

  const phone = await enterCode(browser, address)
  const closed = popup.waitForEvent('close', { timeout: 30_000 })
  await allow(phone)
  await closed
  await expect.poll(() => resultOf(page, sessionId)).toEqual({ connected: true, integration: 'acme', slug })
  await expect(dock(page)).toBeHidden()
})

test('002-12: a declined account can be connected with the retry button, and the agent then continues by itself', async ({
  page,
  server,
  id
}) => {
  const slug = id('declined')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  await dock(page).getByTestId('decline-connect').click()
  await expect(dock(page)).toBeHidden()
  const declined = { connected: false, integration: 'acme', slug, reason: 'declined' }
  expect(await resultOf(page, sessionId)).toEqual(declined)
  const retry = page.getByTestId('retry-connect')
  await expect(retry).toBeVisible()
  await expect(row(page)).toHaveAttribute('aria-expanded', 'false')
  const popupEvent = page.waitForEvent('popup')
  await retry.press('Enter')
  const popup = await popupEvent
  await signInAtAcme(popup)
  await allow(popup)
  const message = page.locator('[data-hook=message-bubble][data-role=user]').last()
  await expect(message.getByTestId('sent-by')).toHaveText(connectionSender)
  await expect(page.locator('[data-hook=message-bubble][data-role=assistant]')).toHaveCount(2)
  await expect(retry).toBeHidden()
  const call = await callOf(page, sessionId)
  expect(call.output).toEqual(declined)
  await expect(row(page)).toContainText(connectionOutcome(call) ?? 'no outcome')
  await page.reload()
  await row(page).click()
  await expect(page.getByTestId('account-connected-later')).toBeVisible()
  await expect(retry).toBeHidden()
})

test('002-12: a request whose account is connected by now has no retry button, and the user can tell the agent', async ({
  page,
  server,
  id
}) => {
  const slug = id('elsewhere')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  await dock(page).getByTestId('decline-connect').click()
  await expect(page.getByTestId('retry-connect')).toBeVisible()
  const other = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, other)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  await allow(popup)
  await expect(dock(page)).toBeHidden()
  await page.goto(`/sessions/${sessionId}`)
  await page.getByTestId('account-already-connected').getByTestId('tell-agent').click()
  await expect(page.locator('[data-composer]')).toHaveValue(/Acme/)
  await expect(page.getByTestId('retry-connect')).toBeHidden()
})

test('closing the window cancels the call and the attempt (002-11)', async ({ page, server, id }) => {
  const slug = id('closed')
  await page.clock.install()
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  // The browser itself can close a window within its first seconds.
  await page.clock.runFor(5_000)
  const dropResponse = page.waitForResponse(reply => reply.request().method() === 'DELETE')
  await popup.close()
  await page.clock.runFor(1_000)
  expect(await (await dropResponse).json()).toMatchObject({ state: 'failed' })
  await expect(dock(page)).toBeHidden()
  expect(await resultOf(page, sessionId)).toEqual({
    connected: false,
    integration: 'acme',
    slug,
    reason: 'cancelled'
  })
})

test('a call that is settled while its window closes can be connected again at once', async ({
  page,
  server,
  id
}) => {
  const sessionId = await createOrderSession({ page, server }, connectionRequest(id('settled')))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  const lookup = Promise.withResolvers<void>()
  const lookupRequest = page.waitForRequest(/connections\/attempts/)
  await page.route(/connections\/attempts/, async route => {
    await lookup.promise
    await route.continue()
  })
  await popup.close()
  await lookupRequest
  const { toolCallId } = await callOf(page, sessionId)
  await page.request.post(`/api/sessions/${sessionId}/calls/${toolCallId}/cancel`, {
    headers: { origin: server.url }
  })
  await row(page).click()
  await expect(page.getByTestId('retry-connect')).toBeVisible()
  const lookupResponse = page.waitForResponse(/connections\/attempts/)
  lookup.resolve()
  await lookupResponse
  const popupEvent = page.waitForEvent('popup')
  await page.getByTestId('retry-connect').click()
  await popupEvent
})

test('a window that stays open for 180 s causes a timeout', async ({ page, server, id }) => {
  await page.clock.install()
  const sessionId = await createOrderSession({ page, server }, connectionRequest(id('slow')))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  const closed = popup.waitForEvent('close')
  await page.clock.runFor(181_000)
  await closed
  await expect.poll(() => resultOf(page, sessionId)).toMatchObject({ connected: false, reason: 'timeout' })
})

test('a browser that blocks windows gets a link that works', async ({ page, context, server, id }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  const sessionId = await createOrderSession({ page, server }, connectionRequest(id('blocked')))
  await openParkedSession(page, sessionId)
  await dock(page).getByTestId('connect-account').click()
  await expect(progress(page)).toHaveAttribute('data-phase', 'blocked')
  const pageEvent = context.waitForEvent('page')
  await dock(page).getByTestId('open-service').click()
  const tab = await pageEvent
  await signInAtAcme(tab)
  await allow(tab)
  await expect(dock(page)).toBeHidden()
  expect(await resultOf(page, sessionId)).toMatchObject({ connected: true })
})

test('a window that its provider detaches (COOP) is not canceled, but continues and settles the call', async ({
  page,
  server,
  api,
  id
}) => {
  const { issuer, api: apiBase, clientId, clientSecret } = acmeAt(server.url, authSecret)
  const integration = id('severed')
  const oauth = {
    issuer,
    clientId,
    scopes: ['openid', 'orders:read'],
    resource: apiBase,
    parameters: { acme_coop: '1' }
  }
  await api('PUT', `/api/integrations/${integration}`, {
    clientSecret,
    config: { service: 'Severed', apiBase, oauth }
  })
  const message = `use request_connection ${JSON.stringify({ integration })}`
  const sessionId = await createOrderSession({ page, server }, message)
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  await expect(progress(page)).toHaveAttribute('data-phase', 'unseen')
  await allow(popup)
  await expect(dock(page)).toBeHidden()
  expect(await resultOf(page, sessionId)).toEqual({ connected: true, integration, slug: integration })
})

test('a reload during the wait and an answer of another client lose nothing', async ({
  page,
  server,
  id
}) => {
  const slug = id('tabs')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const popup = await openConnectWindow(page)
  await signInAtAcme(popup)
  await page.reload()
  await expect(progress(page)).toHaveAttribute('data-phase', 'unseen')
  const { toolCallId } = await callOf(page, sessionId)
  await page.request.post(`/api/sessions/${sessionId}/calls/${toolCallId}/answer`, {
    data: { declined: true },
    headers: { origin: server.url }
  })
  await expect(dock(page)).toBeHidden()
  await allow(popup)
  await expect(popup.locator('main.plain')).toBeVisible()
  expect(await resultOf(page, sessionId)).toMatchObject({ connected: false, reason: 'declined' })
  const secondSession = await createOrderSession({ page, server }, connectionRequest(slug))
  await expect
    .poll(() => resultOf(page, secondSession))
    .toEqual({ connected: true, integration: 'acme', slug })
})

test('messages of a foreign origin or another window are ignored, and only the provider settles the call (002-13)', async ({
  page,
  server,
  id
}) => {
  const slug = id('forged')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const requests: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/connections/attempts/')) requests.push(request.url())
  })
  const connectResponse = page.waitForResponse(isStart)
  const popup = await openConnectWindow(page)
  const { attemptId } = await (await connectResponse).json()
  await signInAtAcme(popup)
  const message = { type: 'tools:oauth:complete', attemptId, integration: 'acme', slug, connected: true }
  await page.evaluate(data => {
    window.postMessage(data, '*')
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' }))
  }, message)
  await expect(progress(page)).toHaveAttribute('data-phase', 'open')
  expect(requests).toEqual([])
  await deny(popup)
  await expect.poll(() => resultOf(page, sessionId)).toMatchObject({ connected: false, reason: 'failed' })
  await expect(popup.locator('main.fail')).toBeVisible()
  await row(page).click()
  await expect(page.getByTestId('account-not-connected')).toContainText('access_denied')
})

test('002-13: a message of the right window is ignored if its origin is not the origin of the server', async ({
  page,
  context,
  server,
  id
}) => {
  const slug = id('origin')
  const sessionId = await createOrderSession({ page, server }, connectionRequest(slug))
  await openParkedSession(page, sessionId)
  const requests: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/connections/attempts/')) requests.push(request.url())
  })
  const connectResponse = page.waitForResponse(isStart)
  const popup = await openConnectWindow(page)
  const { attemptId } = await (await connectResponse).json()
  await signInAtAcme(popup)
  await context.route(
    /\/a-page$/,
    route => route.fulfill({ contentType: 'text/html', body: '<p>A page.</p>' }),
    {
      times: 2
    }
  )
  const message = { type: 'tools:oauth:complete', attemptId, integration: 'acme', slug, connected: true }
  const heard = page.evaluate(
    () =>
      new Promise<string[]>(resolve => {
        const origins: string[] = []
        addEventListener('message', ({ data, origin }) => {
          if (data?.type === 'tools:oauth:complete') origins.push(origin)
          if (origins.length === 2) resolve(origins)
        })
      })
  )
  const postFrom = async (origin: string) => {
    // The window must navigate by itself: the browser cuts its link to the page otherwise.
    await Promise.all([
      popup.waitForURL(`${origin}/a-page`),
      popup.evaluate(url => location.assign(url), `${origin}/a-page`)
    ])
    await popup.evaluate(data => window.opener.postMessage(data, '*'), message)
  }
  await postFrom('https://evil.example')
  const request = page.waitForRequest(/connections.attempts/)
  expect(requests).toEqual([])
  // The same message of the same window, now from the server's origin, is accepted.
  await postFrom(server.url)
  await request
  expect(await heard).toEqual(['https://evil.example', server.url])
  // The requests of both messages, if any, are older than this one.
  await page.evaluate(() => fetch('/api/sessions'))
  expect(requests).toHaveLength(1)
})
