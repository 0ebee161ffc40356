import { nothingSent } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'

test.use({ serverOptions: nothingSent })

test('without deliveries, the page explains them, and it is linked from the palette and the webhooks', async ({
  page
}) => {
  await page.goto('/sessions')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('deliver')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('no-deliveries')).toBeVisible()
  await page.goto('/settings/webhooks')
  await page.getByTestId('open-deliveries').click()
  await page.waitForURL(/\/activity\/deliveries$/)
})

test('an owner creates a webhook, sees its secret once, and removes the webhook', async ({ page, id }) => {
  await page.goto('/settings/webhooks')
  const section = page.getByTestId('webhooks')
  await section.getByTestId('new-webhook').click()
  const dialog = page.getByRole('dialog')
  const url = dialog.locator('[name="webhookUrl"]')
  const webhookUrl = `https://acme.example/${id('hook')}`
  await url.fill('ftp://acme.example')
  await dialog.getByTestId('create-webhook').click()
  await expect(dialog.getByTestId('field-error')).not.toBeEmpty()
  await url.fill(webhookUrl)
  await dialog.locator('[name="session.parked"]').uncheck()
  await dialog.getByTestId('create-webhook').click()
  await expect(section.getByTestId('secret')).toHaveText(/^whsec_/)

  await page.reload()
  await expect(section.getByTestId('secret')).toHaveCount(0)
  const row = section.getByRole('listitem').filter({ hasText: webhookUrl })
  await expect(row).toContainText('call.opened, call.expiring, call.settled, turn.failed')
  await row.getByTestId('remove-webhook').click()
  await page.getByTestId('confirm').click()
  await expect(row).toHaveCount(0)
})
