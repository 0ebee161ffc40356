import { manySent } from '#tests/browser/server-options.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { type ExternalService, sendTwo, startExternalService } from './external-service.ts'

test.use({ serverOptions: manySent })

let externalSystem: ExternalService
test.beforeAll(async () => {
  externalSystem = await startExternalService()
})
test.afterAll(() => externalSystem.stop())

const rows = (page: Page) => page.getByTestId('deliveries').getByRole('listitem')
const row = (page: Page, sessionId: string) =>
  page.getByTestId('deliveries').locator(`[data-of="${sessionId}"]`)
const state = (page: Page, sessionId: string) => row(page, sessionId).getByTestId('delivery-state')

test('deliveries are listed newest first with every attempt, and failed ones can be filtered and sent again', async ({
  page,
  api,
  id
}) => {
  const [first, second] = await sendTwo(api, externalSystem, id('acme'))
  await page.goto('/deliveries')
  await page.waitForURL('**/activity/deliveries')
  const listed = page.getByTestId('deliveries').locator(`[data-of^="${id('acme')}"]`)
  await expect(listed.nth(0)).toHaveAttribute('data-of', second)
  await expect(listed.nth(1)).toHaveAttribute('data-of', first)
  await expect(state(page, first)).toHaveAttribute('data-state', 'failed')
  await expect(state(page, second)).toHaveAttribute('data-state', 'delivered')
  const failed = row(page, first)
  await expect(failed).toHaveAttribute('data-kind', 'message')
  await expect(failed).toContainText(`http://127.0.0.1:${externalSystem.port}/in/••••`)
  await expect(failed.getByRole('link')).toHaveText('Two crates, please.')
  // Only the attempts of a failed delivery are open at first.
  await expect(row(page, second).getByRole('row')).toHaveCount(0)
  await expect(failed.getByRole('row').last()).toHaveText(/503.*Closed for today/)
  await expect(failed.getByText('Try the night counter.')).toBeHidden()
  await failed.locator('summary').click()
  await expect(failed.getByText('Try the night counter.')).toBeVisible()

  await page.getByTestId('show-failed').click()
  await expect(row(page, second)).toHaveCount(0)
  await expect(failed).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('show-failed')).toHaveAttribute('aria-pressed', 'true')
  await expect(row(page, second)).toHaveCount(0)
  await failed.getByTestId('redeliver').click()
  await expect(state(page, first)).toHaveAttribute('data-state', 'delivered')
  await expect(failed.getByRole('row')).toHaveCount(3)
  await failed.getByTestId('show-attempts').click()
  await expect(failed.getByRole('row')).toHaveCount(0)
  await failed.getByTestId('delivery-menu').click()
  await failed.getByTestId('redeliver').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByTestId('dismiss').click()
  await expect(failed.getByTestId('delivery-menu')).toBeFocused()
  await page.getByTestId('show-pending').click()
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
})

test('j and k move through the list, and Enter opens the session at its deliveries', async ({
  page,
  api,
  id
}) => {
  const [first, second] = await sendTwo(api, externalSystem, id('acme'))
  await page.goto('/deliveries')
  await expect(row(page, second)).toBeVisible()
  await page.keyboard.press('j')
  await expect(row(page, second).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await expect(row(page, first).getByRole('link')).toBeFocused()
  await page.keyboard.press('k')
  await expect(row(page, second).getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => `${url}`.endsWith(`/sessions/${second}?inspect=deliveries`))
  await expect(page.getByTestId('inspector').getByTestId('delivery-state')).toHaveAttribute(
    'data-state',
    'delivered'
  )
})

test('earlier deliveries load on request, and an unreachable server is reported', async ({ page }) => {
  const deliveryWith = (id: string) => ({
    id,
    sessionId: id,
    title: '',
    kind: 'webhook',
    to: 'https://acme.example/••••',
    state: 'delivered',
    attempts: [{ at: '2026-03-12T14:02:05.000Z', ms: 120, status: 200 }],
    retries: 10,
    createdAt: '2026-03-12T14:02:00.000Z'
  })
  let isReachable = false
  await page.route('**/api/deliveries*', route => {
    if (!isReachable) return route.abort()
    const isSecondPage = new URL(route.request().url()).searchParams.get('cursor') === 'behind-a'
    const json = isSecondPage
      ? { deliveries: [deliveryWith('b')], nextCursor: null }
      : { deliveries: [deliveryWith('a')], nextCursor: 'behind-a' }
    return route.fulfill({ json })
  })
  await page.goto('/deliveries')
  await page.getByTestId('show-delivered').click()
  await expect(page.getByTestId('deliveries-error')).not.toBeEmpty()
  isReachable = true
  // Reads the list again, as when the user returns to the window.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('show-more').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).last()).toHaveAttribute('data-of', 'b')
  await expect(page.getByTestId('show-more')).toHaveCount(0)
})

test('the list shows a new delivery by itself, with the name of its tool', async ({ page }) => {
  let deliveries: object[] = []
  await page.route('**/api/deliveries*', route => route.fulfill({ json: { deliveries, nextCursor: null } }))
  await page.goto('/activity/deliveries?state=failed')
  await page.getByTestId('show-delivered').click()
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
  deliveries = [
    {
      id: 'a',
      sessionId: 'a',
      title: '',
      kind: 'call.opened',
      toolCallId: 'call',
      toolName: 'deploy',
      to: 'https://acme.example/••••',
      state: 'delivered',
      attempts: [],
      retries: 10,
      createdAt: '2026-03-12T14:02:00.000Z'
    }
  ]
  await expect(rows(page)).toHaveCount(1, { timeout: 20_000 })
  await expect(page.getByTestId('delivery-event')).toHaveText(/^deploy/)
})
