import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/** Its own, since it looks at everything that was sent from there; and another system, which is up or down. */
let server: TestServer
let outside: Server
let up = true
test.beforeAll(async () => {
  outside = createServer((_, response) => {
    response.writeHead(up ? 200 : 503).end(up ? '' : 'Closed for today.\nTry the night counter.')
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  server = await startServer({ WAYSTATION_EGRESS_ALLOW: '127.0.0.1' })
})
test.afterAll(async () => {
  await server.stop()
  outside.closeAllConnections()
  outside.close()
})
test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})

const post = async (page: Page, path: string, data: unknown) => {
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const response = await page.request.post(server.url + path, { headers, data })
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
}

/** A message to the other system, and what came of it. */
async function sent(page: Page, sessionId: string, state: 'delivered' | 'failed') {
  await post(page, '/api/plugins/sessions/operations/create', { agentId: 'acme', sessionId })
  await post(page, `/api/sessions/${sessionId}/messages`, { text: 'Two crates, please.' })
  const headers = { authorization: `Bearer ${server.apiKey}` }
  await expect
    .poll(async () => {
      const reply = await page.request.get(`${server.url}/api/sessions/${sessionId}/deliveries`, { headers })
      return (await reply.json()).deliveries[0]?.state
    })
    .toBe(state)
}

const open = (page: Page, query = '') => page.goto(`${server.url}/deliveries${query}`)
/** The page with its two deliveries, once it lives: times are written by the browser. */
async function look(page: Page) {
  await open(page)
  await expect(rows(page)).toHaveText([/ · \d\d:\d\d/, / · \d\d:\d\d/])
}
const rows = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
const row = (page: Page, sessionId: string) => rows(page).filter({ hasText: sessionId })
const filter = (page: Page, name: string) =>
  page.locator('#main').getByRole('group', { name: 'Show' }).getByRole('button', { name, exact: true })

test.describe.configure({ mode: 'serial' })

test('nothing was sent: the page says what it is for, and is found by the palette and from the webhooks', async ({
  page
}) => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('deliver')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Nothing was sent to another system yet\./)).toBeVisible()
  await page.goto(`${server.url}/settings`)
  await page.getByRole('region', { name: 'Webhooks' }).getByRole('link', { name: 'Deliveries' }).click()
  await page.waitForURL(/\/deliveries$/)
})

test('what was sent stands there newest first, with every attempt; what failed can be looked at alone and sent again', async ({
  page
}) => {
  const { port } = outside.address() as AddressInfo
  await post(page, '/api/agents', {
    agentId: 'acme',
    displayName: 'Acme office',
    type: 'external',
    external: { inputUrl: `http://127.0.0.1:${port}/in/s3cret` }
  })
  up = false
  await sent(page, 'order-1', 'failed')
  up = true
  await sent(page, 'order-2', 'delivered')
  await open(page)
  await expect(rows(page)).toHaveText([/^order-2.*delivered/, /^order-1.*failed/])
  const failed = row(page, 'order-1')
  await expect(failed).toContainText('Message to an external agent')
  await expect(failed).toContainText(`http://127.0.0.1:${port}/••••`)
  await expect(failed.getByRole('row').last()).toHaveText(/^1.*503.* s.*Closed for today/)
  await expect(failed.getByText('Try the night counter.')).toBeHidden()
  await failed.getByText('Closed for today.').first().click()
  await expect(failed.getByText('Try the night counter.')).toBeVisible()

  await filter(page, 'Failed').click()
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(filter(page, 'Failed')).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page)).toHaveText([/^order-1/])
  await row(page, 'order-1').getByRole('button', { name: 'Send again' }).click()
  await expect(row(page, 'order-1')).toContainText('delivered')
  await expect(row(page, 'order-1').getByRole('row')).toHaveCount(3)
  await filter(page, 'Being sent').click()
  await expect(page.getByText('Nothing is being sent.')).toBeVisible()
})

test('j and k go through it, and Enter opens the session at its deliveries', async ({ page }) => {
  await look(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(row(page, 'order-1').getByRole('link')).toBeFocused()
  await page.keyboard.press('k')
  await expect(row(page, 'order-2').getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sessions\/order-2\?inspect=deliveries/)
  await expect(page.getByRole('complementary', { name: 'Inspector' }).getByText('delivered')).toBeVisible()
})

test('earlier ones come when they are asked for, and a server that does not answer is said', async ({
  page
}) => {
  const one = (id: string) => ({
    id,
    sessionId: id,
    kind: 'webhook',
    to: 'https://acme.example/••••',
    state: 'delivered',
    attempts: [{ at: '2026-03-12T14:02:05.000Z', ms: 120, status: 200 }],
    retries: 10,
    createdAt: '2026-03-12T14:02:00.000Z'
  })
  let answers = false
  await page.route('**/api/deliveries?*', route => {
    if (!answers) return route.abort()
    const later = new URL(route.request().url()).searchParams.get('cursor') === 'behind-a'
    const json = later
      ? { deliveries: [one('b')], nextCursor: null }
      : { deliveries: [one('a')], nextCursor: 'behind-a' }
    return route.fulfill({ json })
  })
  await look(page)
  await filter(page, 'Delivered').click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server does not answer.' })).toBeVisible()
  answers = true
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(rows(page)).toHaveText([/^a/])
  await page.getByRole('button', { name: 'Earlier ones' }).click()
  await expect(rows(page)).toHaveText([/^a/, /^b/])
  await expect(page.getByRole('button', { name: 'Earlier ones' })).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: width === 390 ? 844 : 860 } })
      test('the page is accessible and never scrolls sideways', async ({ page }) => {
        await look(page)
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
        await page.screenshot({ path: `${test.info().outputDir}/deliveries.png` })
      })
    })
