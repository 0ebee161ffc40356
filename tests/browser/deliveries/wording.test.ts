import { nothingSent } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'

test.use({ serverOptions: nothingSent })

test('texts of the page of deliveries', async ({ page }) => {
  await page.route('**/api/deliveries*', route => route.abort())
  await page.goto('/deliveries')
  await expect(page.getByTestId('no-deliveries')).toHaveText(/^No deliveries yet/)
  await expect(page.getByTestId('show-all')).toHaveCount(0)
  await page.goto('/activity/deliveries?state=failed')
  for (const [hook, text] of [
    ['no-deliveries', /^No failed deliveries/],
    ['show-all', 'All'],
    ['show-pending', 'Pending'],
    ['show-failed', 'Failed'],
    ['show-delivered', 'Delivered']
  ] as const)
    await expect(page.getByTestId(hook), hook).toHaveText(text)
  await page.getByTestId('show-delivered').click()
  await expect(page.getByTestId('deliveries-error')).toContainText("Can't reach the server.")
  await page.unroute('**/api/deliveries*')
  await page.getByTestId('show-pending').click()
  await expect(page.getByTestId('no-deliveries')).toHaveText('No pending deliveries')
})

test('texts of a delivery', async ({ page }) => {
  const delivery = {
    id: 'a',
    sessionId: 'a',
    title: '',
    kind: 'message',
    to: 'https://acme.example/••••',
    state: 'delivered',
    attempts: [{ at: '2026-03-12T14:02:05.000Z', ms: 120, status: 200 }],
    retries: 10,
    createdAt: '2026-03-12T14:02:00.000Z'
  }
  await page.route('**/api/deliveries*', route =>
    route.fulfill({ json: { deliveries: [delivery], nextCursor: 'more' } })
  )
  await page.goto('/activity/deliveries?state=failed')
  await page.getByTestId('show-delivered').click()
  await expect(page.getByTestId('deliveries')).toHaveAccessibleName('Deliveries')
  await expect(page.getByTestId('deliveries')).toContainText('External agent')
  await expect(page.getByTestId('delivery-state')).toHaveText('delivered')
  await expect(page.getByTestId('show-attempts')).toHaveText(/^Attempts at /)
  await page.getByTestId('delivery-menu').click()
  await expect(page.getByTestId('redeliver')).toHaveText('Send again…')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('show-more')).toHaveText('Show earlier deliveries')
})

test('texts for creating and removing webhooks', async ({ page, id }) => {
  await page.goto('/settings/webhooks')
  const section = page.getByTestId('webhooks')
  await expect(section).toHaveAccessibleName('Webhooks')
  await expect(section.getByTestId('no-webhooks')).toHaveText(/^No webhooks yet/)
  await expect(section.getByTestId('open-deliveries')).toHaveText('Open deliveries')
  await section.getByTestId('new-webhook').click()
  const dialog = page.getByRole('dialog')
  const url = dialog.locator('[name="webhookUrl"]')
  await expect(url).toHaveAccessibleName('Webhook URL')
  await expect(dialog.getByTestId('create-webhook')).toHaveText('Create webhook')
  await url.fill('ftp://acme.example')
  await dialog.getByTestId('create-webhook').click()
  await expect(dialog.getByTestId('field-error')).toHaveText(/^This URL can't be used: /)
  await url.fill(`https://acme.example/${id('words')}`)
  await dialog.getByTestId('create-webhook').click()
  await expect(section.getByTestId('remove-webhook')).toHaveText('Remove…')
  await section.getByTestId('remove-webhook').click()
  await expect(page.getByTestId('confirm')).toHaveText('Remove webhook')
  await page.getByTestId('confirm').click()
  await expect(section.getByTestId('no-webhooks')).toBeVisible()
})
