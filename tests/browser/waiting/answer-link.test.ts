import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, expect, type Page, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
let outside: Server
/** The answer pages that the webhook was told of, by session. */
const told = new Map<string, string>()

test.beforeAll(async () => {
  outside = createServer(async (request, response) => {
    const { data } = JSON.parse(await text(request)) as { data: { sessionId: string; answerPage?: string } }
    if (data.answerPage !== undefined) told.set(data.sessionId, data.answerPage)
    response.end('ok')
  })
  await new Promise<void>(resolve => outside.listen(0, '127.0.0.1', resolve))
  server = await startServer({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
  const { port } = outside.address() as AddressInfo
  await post('/api/webhooks', { url: `http://127.0.0.1:${port}/hook`, events: ['call.opened'] })
})
test.afterAll(async () => {
  outside.close()
  await server.stop()
})

async function post(path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** A session whose agent asks this; the link that went out with it. */
async function asked(sessionId: string, words: string): Promise<string> {
  await post('/api/plugins/sessions/operations/create', {
    agentId: 'guide',
    sessionId,
    title: `Order ${sessionId}`
  })
  await post(`/api/sessions/${sessionId}/messages`, { text: words })
  await expect.poll(() => told.get(sessionId)).toBeDefined()
  return told.get(sessionId) ?? ''
}

/** A browser of somebody who never signed in, without JavaScript, on a phone. */
async function stranger(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    ...options
  })
  return context.newPage()
}

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

test('a link is answered in a browser without JavaScript and without a cookie, once', async ({ browser }) => {
  const link = await asked('tea', 'ask me to choose between tea and coffee')
  const page = await stranger(browser)
  const refused: string[] = []
  page.on('console', message => refused.push(message.text()))
  const response = await page.goto(link)
  expect(response?.status()).toBe(200)
  expect(await response?.headerValue('referrer-policy')).toBe('no-referrer')
  expect(await response?.headerValue('content-security-policy')).toContain("default-src 'none'")
  expect(await response?.headerValue('set-cookie')).toBeNull()
  await expect(page.getByText('Order tea')).toBeVisible()
  await page.getByRole('radio', { name: 'coffee' }).check()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('status')).toHaveText('Your answer was taken.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Answered')
  await page.goto(link)
  await expect(page.getByRole('button')).toHaveCount(0)
  expect(refused).toEqual([])
  await page.context().close()
})

test('who answers second, with the page still open, is told who was faster', async ({ browser }) => {
  const link = await asked('race', 'fetch https://example.com')
  const [first, second] = [await stranger(browser), await stranger(browser)]
  await first.goto(link)
  await second.goto(link)
  await first.getByLabel(/Reason/).fill('Not this one.')
  await first.getByRole('button', { name: 'Decline' }).click()
  await expect(first.getByRole('heading', { level: 1 })).toHaveText('Declined')
  await second.getByRole('button', { name: 'Fetch it' }).click()
  await expect(second.getByRole('status')).toContainText('Your answer was not used.')
  await expect(second.getByText('“Not this one.”')).toBeVisible()
  await first.context().close()
  await second.context().close()
})

test('the page fits a phone and a desk, in the light and in the dark, and anybody can read and use it', async ({
  browser
}, info) => {
  const approval = await asked('fits', `use web-fetch {"url": "https://example.com/${'long/'.repeat(60)}"}`)
  const question = await asked(
    'fits-2',
    'ask me to choose between tea, coffee and a glass of water from the tap'
  )
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      for (const [name, link] of Object.entries({ approval, question })) {
        const page = await stranger(browser, {
          javaScriptEnabled: true,
          colorScheme,
          viewport: { width, height: 844 }
        })
        await page.goto(link)
        expect(await sideways(page), `${name} ${width}`).toBe(false)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(
          violations.map(({ id }) => id),
          `${name} ${colorScheme}`
        ).toEqual([])
        for (const button of await page.getByRole('button').all())
          expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
        await page.screenshot({
          path: info.outputPath(`${name}-${colorScheme}-${width}.png`),
          fullPage: true
        })
        await page.context().close()
      }
})

test('a page elsewhere cannot have a person’s browser answer', async ({ browser }) => {
  const link = await asked('elsewhere', 'ask me to choose between tea and coffee')
  const page = await stranger(browser, { javaScriptEnabled: true })
  await page.route('https://evil.example/**', route =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${link}"><input name="do" value="yes"><input name="choice" value="0"></form>
        <script>document.forms[0].submit()</script>`
    })
  )
  const answered = page.waitForResponse(response => response.url() === link)
  await page.goto('https://evil.example/').catch(() => {})
  expect((await answered).status()).toBe(403)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Send answer' })).toBeVisible()
  await page.context().close()
})
