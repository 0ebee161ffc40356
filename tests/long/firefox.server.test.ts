import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { findFirefox, launchFirefox } from '#tests/support/browser/firefox.ts'
import { createDatabase, type TestDatabase } from '#tests/support/servers/database.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

/**
 * The core user journeys in Firefox. The other browser tests run in Chromium only.
 * Without Firefox these tests are skipped. `tests/support/browser/firefox.ts` says how to install it.
 */
const path = findFirefox()
const authSecret = 'a secret of thirty-two characters'

let database: TestDatabase
let server: ServerProcess
let browser: Browser
let context: BrowserContext
let page: Page
let pageErrors: string[]

const title = `in Firefox${path === undefined ? ' (needs firefox)' : ''}`

describe.skipIf(path === undefined)(title, { timeout: 180_000 }, () => {
  beforeAll(async () => {
    database = await createDatabase()
    ;[server, browser] = await Promise.all([
      startServer({ DATABASE_URL: database.url, AUTH_SECRET: authSecret }),
      launchFirefox(path ?? '')
    ])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await database?.drop()
  })

  beforeEach(async () => {
    pageErrors = []
    context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' })
    context.on('page', watch)
    page = await context.newPage()
    await signIn()
  })
  afterEach(async () => {
    await context.close()
    expect(pageErrors).toEqual([])
  })

  const signIn = async () => {
    await page.goto(localLink({ authSecret, url: server.url }))
    await page.locator('[data-hook=continue-as-local-owner]').click()
    await page.waitForURL('**/sessions/welcome')
  }

  test('the local owner signs in with one click, and returns to the page that required the sign-in', async () => {
    await context.clearCookies()
    await page.goto(`${server.url}/waiting`)
    await page.waitForURL('**/sign-in?callbackUrl=*')
    const signInUrl = page.url()
    await signIn()
    await page.goto(signInUrl)
    await page.waitForURL('**/waiting')
  })

  test('a message is sent with the keyboard, and the response streams in', async () => {
    await open(await createSession())
    await sendMessage(page, 'count to 100')
    await expect.poll(() => faceOf(page)).toBe('running')
    const bubble = page.locator('[data-hook=message-bubble][data-role=assistant]').last()
    await contains(bubble, '3')
    const lengthWhileRunning = (await bubble.innerText()).length
    await expect.poll(() => faceOf(page), { timeout: 60_000 }).toBe('idle')
    await contains(bubble, '100')
    expect((await bubble.innerText()).length).toBeGreaterThan(lengthWhileRunning)
  })

  test('a call is approved with the mouse', async () => {
    const id = await createSession()
    await open(id)
    await sendMessage(page, fetching)
    await card(page).locator('[data-primary]').click()
    await ran(id)
  })

  test('a call is approved with the keyboard alone', async () => {
    const id = await createSession()
    await open(id)
    await sendMessage(page, fetching)
    await card(page).waitFor()
    await card(page).locator('[data-primary]').focus()
    await page.keyboard.press('Control+Enter')
    await ran(id)
  })

  test('a question is answered with a click on one of its options', async () => {
    const id = await createSession()
    await open(id)
    await sendMessage(page, 'ask me to choose between tea and coffee')
    await card(page).getByTestId('ask-question-option-1').click()
    await settled(id, 'answered')
  })

  test('a pending card is still there after a reload', async () => {
    const id = await createSession()
    await open(id)
    await sendMessage(page, fetching)
    const call = await card(page).getAttribute('data-call')
    await page.reload()
    await alive(page)
    await card(page).waitFor()
    expect(await card(page).getAttribute('data-call')).toBe(call)
    expect(await faceOf(page)).toBe('parked')
    await card(page).locator('[data-primary]').click()
    await ran(id)
  })

  test('an answer in one tab removes the card in another tab', async () => {
    const id = await createSession()
    await open(id)
    await sendMessage(page, fetching)
    await card(page).waitFor()
    const other = await context.newPage()
    await open(id, other)
    await card(other).waitFor()
    await card(page).locator('[data-primary]').click()
    await card(other).waitFor({ state: 'hidden' })
    await expect.poll(() => faceOf(other)).toBe('idle')
    await ran(id)
  })

  test('an account is connected in a window that closes by itself, and the agent continues', async () => {
    const id = await createSession('acme-clerk')
    await open(id)
    await sendMessage(page, 'connect acme')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      card(page).locator('[data-primary]').click()
    ])
    await popup.locator('button[name=person][value=ada]').click()
    await Promise.all([popup.waitForEvent('close'), popup.locator('button[name=do][value=allow]').click()])
    await settled(id, 'answered')
    expect(await callOf(id)).toMatchObject({ output: { connected: true, integration: 'acme' } })
    await expect.poll(() => faceOf(page)).toBe('idle')
  })

  test('a draft survives a reload and appears in other tabs', async () => {
    const id = await createSession()
    await open(id)
    const other = await context.newPage()
    await open(id, other)
    await type(page, 'Not sent yet')
    await expect.poll(() => composer(other).inputValue()).toBe('Not sent yet')
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Not sent yet')
  })
})

/** A call that requires an approval. Its fetch is blocked and needs no network. */
const fetching = 'use web-fetch {"url": "http://127.0.0.1:9/"}'

const composer = (page: Page) => page.locator('[data-composer]')
const card = (page: Page) => page.locator('#waits [data-call]')
const faceOf = (page: Page) => page.locator('[data-face]').getAttribute('data-face')
const contains = (locator: Locator, text: string) => locator.filter({ hasText: text }).waitFor()

/** Types key by key: in Firefox, React does not notice Playwright's `fill`. */
async function type(page: Page, text: string): Promise<void> {
  await composer(page).click()
  await page.keyboard.type(text)
}

async function sendMessage(page: Page, text: string): Promise<void> {
  await type(page, text)
  await page.keyboard.press('Control+Enter')
}

async function open(sessionId: string, at = page): Promise<void> {
  await at.goto(`${server.url}/sessions/${sessionId}`)
  await alive(at)
}

/** Waits until the page is interactive: the send button is enabled once the composer has a letter. */
async function alive(page: Page): Promise<void> {
  const disabled = page.locator('div:has(> [data-composer]) > button:disabled')
  await expect
    .poll(async () => {
      await type(page, 'x')
      const enabled = (await disabled.count()) === 0
      await page.keyboard.press('Backspace')
      return enabled
    })
    .toBe(true)
  await expect.poll(() => disabled.count()).toBe(1)
}

async function api(path: string, body?: object) {
  const response = await fetch(`${server.url}${path}`, {
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
  })
  expect(response.ok, path).toBe(true)
  return response.json()
}

async function createSession(agentId = 'guide'): Promise<string> {
  const { result } = await api('/api/plugins/sessions/operations/create', { agentId })
  return result.sessionId
}

const callOf = async (sessionId: string) => (await api(`/api/sessions/${sessionId}`)).calls[0]
const settled = (sessionId: string, state: string) =>
  expect.poll(async () => (await callOf(sessionId))?.state).toBe(state)
/** A call runs only after its approval. */
const ran = (sessionId: string) =>
  expect.poll(async () => (await callOf(sessionId))?.ranAt).toEqual(expect.any(String))

/**
 * Two harmless errors in Firefox: a font that is still loading when its page is left, and the favicon on pages of
 * the connect window, whose policy blocks images.
 */
const harmless = /downloadable font: download failed|img-src.*\/favicon\.ico/

/** Fails the test after an uncaught error or a console error on any page. */
function watch(page: Page): void {
  page.on('pageerror', error => {
    if (!harmless.test(`${error}`)) pageErrors.push(`${error}`)
  })
  page.on('console', message => {
    if (message.type() === 'error') pageErrors.push(message.text())
  })
}
