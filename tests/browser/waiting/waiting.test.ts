import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { publishAgent } from '#tests/support/publish-agent.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/** Its own, since it looks at everything that waits there. */
let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

const key = () => ({ authorization: `Bearer ${server.apiKey}` })
const at = (path: string) => `${server.url}${path}`

const post = async (page: Page, path: string, data: unknown) => {
  const response = await page.request.post(at(path), { headers: key(), data })
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
}

async function asked(page: Page, sessionId: string, text: string, agentId = 'guide') {
  await post(page, '/api/plugins/sessions/operations/create', {
    agentId,
    sessionId,
    title: `Order ${sessionId}`
  })
  await post(page, `/api/sessions/${sessionId}/messages`, { text })
  await expect
    .poll(async () => {
      const { calls } = await (await page.request.get(at('/api/waiting'), { headers: key() })).json()
      return calls.filter((call: { sessionId: string }) => call.sessionId === sessionId).length
    })
    .toBeGreaterThan(0)
}

const agent = (agentId: string, answer?: object) => ({
  agentId,
  displayName: agentId,
  chat: {
    tools: [
      { name: 'ask-question' },
      { name: 'web-fetch', approval: 'ask', deadlineSeconds: 86_400 },
      {
        name: 'dispatch',
        where: 'external',
        title: 'Acme dispatcher',
        description: 'Dispatches.',
        inputSchema: { type: 'object' },
        url: 'https://acme.example/orders'
      }
    ],
    ...(answer && { answer })
  }
})

test.beforeEach(async ({ page }) => {
  await page.goto(at('/sign-in'))
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})

/** The page, once it lives: what is left of a deadline is written by the browser. */
async function look(page: Page) {
  await page.goto(at('/waiting'))
  await expect(page.locator('#waits > li').first()).toContainText('left')
}

const rows = (page: Page) => page.locator('#waits > li')
const row = (page: Page, id: string) => rows(page).filter({ hasText: `Order ${id}` })

test.describe.configure({ mode: 'serial' })

test('nothing waits: the page says what it is for', async ({ page }) => {
  await page.goto(at('/waiting'))
  await expect(page.getByText(/^Nothing waits\./)).toBeVisible()
})

test('the page says what waits, who is asked, since when and until when; what is not mine is told apart, and left out for me', async ({
  page
}) => {
  await post(page, '/api/agents', agent('desk'))
  await post(page, '/api/agents', agent('strict', { roles: ['editor'] }))
  await asked(page, 'mine', 'use web-fetch {"url": "https://example.com/"}', 'desk')
  await asked(page, 'theirs', 'use web-fetch {"url": "https://example.org/"}', 'strict')
  await asked(page, 'acme', 'use dispatch {"order": "oil"}', 'desk')
  await asked(page, 'question', 'ask me to choose between tea and coffee', 'desk')
  await look(page)
  await expect(rows(page)).toHaveCount(4)
  await expect(row(page, 'mine')).toContainText('Fetch https://example.com/')
  await expect(row(page, 'mine')).toContainText('Asked: You')
  await expect(row(page, 'theirs')).toContainText('Asked: Editors')
  await expect(row(page, 'acme')).toContainText('Waiting for Acme dispatcher')
  await expect(row(page, 'acme')).toContainText('Asked: Acme dispatcher')
  await expect(row(page, 'mine')).toContainText('23 h left')
  await expect(row(page, 'question')).toContainText('6 d left')
  await page.getByRole('button', { name: /^For you/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/\/waiting\?mine=true$/)
  await page.reload()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Waiting 2' })).toBeVisible()
})

test('a card whose policy lets others answer says who may, and none of its buttons can be pressed', async ({
  page
}) => {
  const words = 'Only editors may approve this.'
  await look(page)
  await row(page, 'theirs').locator('[data-waits]').click()
  await expect(row(page, 'theirs').getByText(words)).toBeVisible()
  await expect(row(page, 'theirs').getByRole('button', { name: 'Fetch it' })).toBeDisabled()
  await page.goto(at('/sessions/theirs'))
  await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Fetch it' }).first()).toBeDisabled()
  await expect(page.getByText('waits for editors')).toBeVisible()
  await expect(page.locator('[data-face]')).toHaveText('Waiting for editors')
  await expect(page).not.toHaveTitle(/^\(1\)/)
})

test('j and k go through what waits, ↵ opens, Esc closes, ⌘ ↵ answers; no single letter answers anything', async ({
  page
}) => {
  await look(page)
  await expect(rows(page)).toHaveCount(4)
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const waits = page.locator('[data-waits]')
  await page.keyboard.press('j')
  await expect(waits.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(waits.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(waits.nth(0)).toBeFocused()
  const order = await waits.allTextContents()
  for (const _ of order) if (!(await focused()).includes('Order mine')) await page.keyboard.press('j')
  expect(await focused()).toContain('Order mine')
  const opener = row(page, 'mine').locator('[data-waits]')
  await page.keyboard.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  for (const letter of ['a', 'd', 'y']) await page.keyboard.press(letter)
  await page.keyboard.press('Escape')
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await row(page, 'mine').getByRole('button', { name: 'Fetch it' }).focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(row(page, 'mine')).toHaveCount(0)
  // The row that stands there now has the focus: the next press goes on from there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-waits'))).toBe(true)
})

test('what comes to wait while somebody looks stands there by itself, and what is answered elsewhere goes', async ({
  page
}) => {
  await look(page)
  await asked(page, 'late', 'ask me to choose between tea and coffee')
  await expect(row(page, 'late')).toBeVisible()
  const { calls } = await (await page.request.get(at('/api/waiting'), { headers: key() })).json()
  const call = calls.find(({ sessionId }: { sessionId: string }) => sessionId === 'late')
  await post(page, `/api/sessions/late/calls/${call.toolCallId}/answer`, { declined: true })
  await expect(row(page, 'late')).toHaveCount(0)
})

test('while the server is away the list stays, and it is said', async ({ page, context }) => {
  await look(page)
  await expect(rows(page)).not.toHaveCount(0)
  await context.setOffline(true)
  await expect(page.getByText('This is how it stood before; trying again…')).toBeVisible()
  await expect(rows(page)).not.toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByText('This is how it stood before; trying again…')).toHaveCount(0)
})

test('a deadline that is near stands out, in the colour of whom it waits for', async ({ page }) => {
  await page.clock.install({ time: Date.now() + 20 * 3_600_000 })
  await look(page)
  const until = (id: string) =>
    row(page, id)
      .getByText(/ left$/)
      .locator('xpath=ancestor::time/..')
  await expect(until('theirs')).toHaveClass(/font-semibold.*text-you/)
  await expect(until('acme')).toHaveClass(/font-semibold.*text-other/)
  await expect(until('question')).toHaveClass(/text-muted/)
})

test('an agent asks whom its form says: roles, people, somebody else than who asked', async ({ page }) => {
  await page.goto(at('/agents/desk'))
  const who = page.getByRole('group', { name: 'Who may answer' })
  await who.getByRole('checkbox', { name: 'Owners' }).check()
  await who.getByRole('checkbox', { name: /Somebody else than who asked/ }).check()
  await expect(who.getByRole('checkbox', { name: /Answer links/ })).not.toBeChecked()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await publishAgent(page, 2)
  await asked(page, 'own', 'use web-fetch {"url": "https://example.net/"}', 'desk')
  await page.goto(at('/sessions/own'))
  await expect(page.getByRole('button', { name: 'Fetch it' }).first()).toBeEnabled()
  await page.goto(at('/sessions/welcome'))
  await post(page, '/api/plugins/sessions/operations/create', { agentId: 'desk', sessionId: 'asked-here' })
  await page.goto(at('/sessions/asked-here'))
  await page.locator('[data-composer]').fill('use web-fetch {"url": "https://example.net/"}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Only owners may approve this, and not Local owner.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Fetch it' }).first()).toBeDisabled()
})

test('the page fits a phone and a desk, in the light and in the dark, and anybody can read and use it', async ({
  page
}, info) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await look(page)
      await row(page, 'question').locator('[data-waits]').click()
      await expect(row(page, 'question').getByText('tea', { exact: true })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(
        violations.map(({ id }) => id),
        `${colorScheme} ${width}`
      ).toEqual([])
      await page.screenshot({ path: info.outputPath(`waiting-${colorScheme}-${width}.png`) })
    }
})
