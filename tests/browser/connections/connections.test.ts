import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { acmeAt } from '#lib/samples/acme/client.ts'
import { type Browser, expect, type Page, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer

test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

async function signIn(page: Page): Promise<void> {
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await expect(page).toHaveURL(/\/sessions\/welcome$/)
}

/** A session of the agent that looks after orders, to which the person who is signed in has said this. */
async function says(page: Page, text: string): Promise<string> {
  const headers = { origin: server.url }
  const create = `${server.url}/api/plugins/sessions/operations/create`
  const made = await page.request.post(create, { data: { agentId: 'acme-clerk' }, headers })
  const { result } = await made.json()
  const messages = `${server.url}/api/sessions/${result.sessionId}/messages`
  expect((await page.request.post(messages, { data: { text }, headers })).status()).toBe(202)
  return result.sessionId
}

/** The page of a session that waits for the person. */
async function opens(page: Page, sessionId: string): Promise<void> {
  await page.goto(`${server.url}/sessions/${sessionId}`)
  await expect(page).toHaveTitle(/^\(1\) Waiting for you/)
}

const dock = (page: Page) => page.getByRole('region', { name: /waits for you/ })
const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' })

/** Presses Connect, and gives the window that opens. */
async function connects(page: Page, service = 'Acme'): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await dock(page)
    .getByRole('button', { name: `Connect ${service}` })
    .click()
  return opened
}

async function signsInAtAcme(popup: Page): Promise<void> {
  const ada = popup.getByRole('button', { name: 'Ada Okafor' })
  const allow = popup.getByRole('button', { name: 'Allow' })
  await expect(ada.or(allow)).toBeVisible()
  if (await ada.isVisible()) await ada.click()
  await expect(allow).toBeVisible()
}

/** Another device, on which the code of a window is entered at Acme; it stands before Acme's consent. */
async function entersCode(browser: Browser, address: string | null): Promise<Page> {
  const phone = await (await browser.newContext()).newPage()
  await phone.goto(address ?? '')
  await phone.getByRole('button', { name: 'Continue' }).click()
  await phone.getByRole('button', { name: 'Yes, go on' }).click()
  await signsInAtAcme(phone)
  return phone
}

const resultOf = async (page: Page, sessionId: string) => {
  const reply = await page.request.get(`${server.url}/api/sessions/${sessionId}`)
  const { calls } = await reply.json()
  return calls[0]?.output
}

test('connected: the window closes by itself, the chip says so, the agent goes on, and reloading changes nothing (002-7, 002-12)', async ({
  page
}) => {
  await signIn(page)
  const id = await says(page, 'connect acme')
  await opens(page, id)
  await expect(dock(page).getByRole('heading', { name: 'Connect Acme?' })).toBeVisible()
  const popup = await connects(page)
  await expect(dock(page).getByRole('status')).toHaveText(
    'Connecting… Finish in the window of Acme, within 3 minutes.'
  )
  await signsInAtAcme(popup)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(transcript(page).getByText('Acme connected')).toBeVisible()
  await expect(transcript(page).getByText('acme is connected.')).toBeVisible()
  await closed
  expect(await resultOf(page, id)).toEqual({ connected: true, integration: 'acme', slug: 'acme' })
  await page.reload()
  await expect(transcript(page).getByText('Acme connected')).toBeVisible()
  await expect(dock(page)).toBeHidden()
})

test('a code is shown in the window and entered elsewhere: the window closes, the agent goes on (RFC 8628)', async ({
  page,
  browser
}) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "coded"}')
  await opens(page, id)
  const opened = page.waitForEvent('popup')
  await dock(page).getByRole('button', { name: 'Use a code instead' }).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Connect Acme with a code' })).toBeVisible()
  expect((await new AxeBuilder({ page: popup }).analyze()).violations).toEqual([])
  const code = await popup.locator('.code').textContent()
  const address = await popup.getByRole('link', { name: 'Open Acme' }).getAttribute('href')
  await popup.reload()
  await expect(popup.locator('.code')).toHaveText(code ?? '')

  const phone = await entersCode(browser, address)
  const closed = popup.waitForEvent('close', { timeout: 30_000 })
  await phone.getByRole('button', { name: 'Allow' }).click()
  await expect(phone.getByText('Go back to your device')).toBeVisible()
  await closed
  await expect(transcript(page).getByText('Acme connected')).toBeVisible()
  expect(await resultOf(page, id)).toEqual({ connected: true, integration: 'acme', slug: 'coded' })
})

test('a code whose window is closed is given up: entered afterwards, it connects nothing', async ({
  page,
  browser
}) => {
  await page.clock.install()
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "dropped"}')
  await opens(page, id)
  const opened = page.waitForEvent('popup')
  await dock(page).getByRole('button', { name: 'Use a code instead' }).click()
  const popup = await opened
  const address = await popup.getByRole('link', { name: 'Open Acme' }).getAttribute('href')
  await page.clock.runFor(5_000)
  const dropped = page.waitForResponse(
    reply => reply.request().method() === 'DELETE' && /\/attempts\//.test(reply.url())
  )
  await popup.close()
  await page.clock.runFor(1_000)
  expect(await (await dropped).json()).toMatchObject({ state: 'failed', words: 'It was given up.' })
  await expect(transcript(page).getByRole('button', { name: /Connection not completed/ })).toBeVisible()
  expect(await resultOf(page, id)).toMatchObject({ connected: false, reason: 'cancelled' })
  const phone = await entersCode(browser, address)
  await phone.getByRole('button', { name: 'Allow' }).click()
  await expect(phone.getByText('Go back to your device')).toBeVisible()
  const { connections } = await (await page.request.get(`${server.url}/api/connections`)).json()
  expect(connections.map(({ slug }: { slug: string }) => slug)).not.toContain('dropped')
})

test('"Not now" settles it as declined, and it can be connected for the next time (002-11, 002-12)', async ({
  page
}) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "second"}')
  await opens(page, id)
  await dock(page).getByRole('button', { name: 'Not now' }).click()
  const row = transcript(page).getByRole('button', { name: /Connection not completed/ })
  await expect(row).toBeVisible()
  expect(await resultOf(page, id)).toEqual({
    connected: false,
    integration: 'acme',
    slug: 'second',
    reason: 'declined'
  })
  await row.click()
  const opened = page.waitForEvent('popup')
  await transcript(page).getByRole('button', { name: 'Retry' }).click()
  const popup = await opened
  await signsInAtAcme(popup)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(transcript(page).getByText('Acme is connected now.')).toBeVisible()
  await transcript(page).getByRole('button', { name: 'Tell the agent' }).click()
  await expect(page.getByRole('textbox', { name: /message/i })).toHaveValue(
    'I connected Acme now. Please go on.'
  )
  expect(await resultOf(page, id)).toMatchObject({ connected: false, reason: 'declined' })
})

test('closing the window settles it as cancelled (002-11)', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "closed"}')
  await opens(page, id)
  const popup = await connects(page)
  await signsInAtAcme(popup)
  // What closes at once is hardly a person's doing.
  await page.clock.runFor(5_000)
  await popup.close()
  await expect(transcript(page).getByText('Connection not completed')).toBeVisible()
  expect(await resultOf(page, id)).toEqual({
    connected: false,
    integration: 'acme',
    slug: 'closed',
    reason: 'cancelled'
  })
})

test('saying no at the provider fails it at once, in the provider’s words (002-11)', async ({ page }) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "denied"}')
  await opens(page, id)
  const popup = await connects(page)
  await signsInAtAcme(popup)
  await popup.getByRole('button', { name: 'Deny' }).click()
  await expect(popup.getByRole('heading', { name: 'Not connected' })).toBeVisible()
  const row = transcript(page).getByRole('button', { name: /Connection not completed/ })
  await row.click()
  await expect(transcript(page).getByText(/Acme answered access_denied: the person said no/)).toBeVisible()
  expect(await resultOf(page, id)).toMatchObject({ connected: false, reason: 'failed' })
})

test('a window that stands open for 180 s is a timeout', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "slow"}')
  await opens(page, id)
  const popup = await connects(page)
  await signsInAtAcme(popup)
  const closed = popup.waitForEvent('close')
  await page.clock.runFor(181_000)
  await closed
  await expect.poll(() => resultOf(page, id)).toMatchObject({ connected: false, reason: 'timeout' })
})

test('a browser that opens no window is given a link, which works', async ({ page, context }) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "blocked"}')
  await opens(page, id)
  await dock(page).getByRole('button', { name: 'Connect Acme' }).click()
  await expect(dock(page).getByRole('status')).toContainText('Your browser opened no window.')
  const opened = context.waitForEvent('page')
  await dock(page).getByRole('link', { name: 'Open Acme' }).click()
  const tab = await opened
  await signsInAtAcme(tab)
  await tab.getByRole('button', { name: 'Allow' }).click()
  await expect(transcript(page).getByText('Acme connected')).toBeVisible()
  expect(await resultOf(page, id)).toMatchObject({ connected: true })
})

test('a provider that cuts the window off from us (COOP) is no cancel: it goes on and settles', async ({
  page
}) => {
  const secret = await readFile(join(server.dataDir, 'auth-secret'), 'utf8')
  const { issuer, api, clientId, clientSecret } = acmeAt(server.url, secret)
  await signIn(page)
  const saved = await page.request.put(`${server.url}/api/integrations/severed`, {
    headers: { origin: server.url },
    data: {
      clientSecret,
      config: {
        service: 'Severed',
        apiBase: api,
        oauth: {
          issuer,
          clientId,
          scopes: ['openid', 'orders:read'],
          resource: api,
          parameters: { acme_coop: '1' }
        }
      }
    }
  })
  expect(saved.status()).toBe(200)
  const id = await says(page, 'connect severed')
  await opens(page, id)
  const popup = await connects(page, 'Severed')
  await signsInAtAcme(popup)
  await expect(dock(page).getByText(/If you closed it, cancel here/)).toBeVisible()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(transcript(page).getByText('Severed connected')).toBeVisible()
  expect(await resultOf(page, id)).toEqual({ connected: true, integration: 'severed', slug: 'severed' })
})

test('reloading while it waits, and answering from a second tab while a window is open, lose nothing', async ({
  page,
  context
}) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "tabs"}')
  await opens(page, id)
  const popup = await connects(page)
  await signsInAtAcme(popup)
  await page.reload()
  await expect(dock(page).getByRole('button', { name: 'Connect Acme' })).toBeVisible()
  const other = await context.newPage()
  await opens(other, id)
  await dock(other).getByRole('button', { name: 'Not now' }).click()
  await expect(dock(page)).toBeHidden()
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(popup.getByRole('heading', { name: 'Connected' })).toBeVisible()
  await expect.poll(() => resultOf(page, id)).toMatchObject({ connected: false, reason: 'declined' })
  const again = await says(page, 'use request_connection {"integration": "acme", "slug": "tabs"}')
  await expect
    .poll(() => resultOf(page, again))
    .toEqual({ connected: true, integration: 'acme', slug: 'tabs' })
})

test('messages from elsewhere are not believed: neither a foreign origin’s nor another window’s (002-13)', async ({
  page
}) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "forged"}')
  await opens(page, id)
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/connections/attempts/')) asked.push(request.url())
  })
  const begun = page.waitForResponse(response => response.url().endsWith('/connect'))
  const popup = await connects(page)
  const { attemptId } = await (await begun).json()
  await signsInAtAcme(popup)
  const message = {
    type: 'tools:oauth:complete',
    attemptId,
    integration: 'acme',
    slug: 'forged',
    connected: true
  }
  await page.evaluate(data => {
    window.postMessage(data, '*')
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' }))
  }, message)
  await expect(dock(page).getByRole('status')).toHaveText(
    'Connecting… Finish in the window of Acme, within 3 minutes.'
  )
  expect(asked).toEqual([])
  await popup.getByRole('button', { name: 'Deny' }).click()
  await expect.poll(() => resultOf(page, id)).toMatchObject({ connected: false, reason: 'failed' })
})

test('somebody else’s browser, with the very address, is refused', async ({ page, browser }) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "stolen"}')
  await opens(page, id)
  const begun = page.waitForResponse(response => response.url().endsWith('/connect'))
  await page.evaluate(() => {
    window.open = () => null
  })
  await dock(page).getByRole('button', { name: 'Connect Acme' }).click()
  const { url } = await (await begun).json()
  const thief = await (await browser.newContext()).newPage()
  expect((await thief.goto(url))?.status()).toBe(403)
  await expect(thief.getByText(/began this. Sign in here/)).toBeVisible()
})

test('a tool that lacks an account asks for it in its own row, then runs', async ({ page }) => {
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "none"}')
  const connection = async () => {
    const reply = await page.request.get(`${server.url}/api/connections`)
    return (await reply.json()).connections.filter((one: { slug: string }) => one.slug === 'acme')
  }
  for (const { connectionId } of await connection())
    await page.request.delete(`${server.url}/api/connections/${connectionId}`, {
      headers: { origin: server.url }
    })
  expect(await connection()).toEqual([])
  expect(id).toBeTruthy()
  const orders = await says(page, 'use acme-list-orders {}')
  await opens(page, orders)
  await expect(
    dock(page).getByText(/acme-list-orders needs it to go on. No account is connected./)
  ).toBeVisible()
  const popup = await connects(page)
  await signsInAtAcme(popup)
  await popup.getByRole('button', { name: 'Allow' }).click()
  await expect(transcript(page).getByText('Acme connected, done')).toBeVisible()
  await expect(transcript(page).getByText(/Signal lamp/)).toBeVisible()
})

test('the card is whole on a phone, in the dark, and for axe', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  const id = await says(page, 'use request_connection {"integration": "acme", "slug": "phone"}')
  await page.goto(`${server.url}/sessions/${id}`)
  await page.locator('#waits').click()
  await expect(page.getByRole('button', { name: 'Connect Acme' })).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
})
