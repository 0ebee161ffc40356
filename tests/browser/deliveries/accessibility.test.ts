import { manySent } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { sendTwo, startExternalService } from './external-service.ts'

test.use({ serverOptions: manySent })

test('the page of deliveries is accessible and never scrolls sideways', async ({ page, api, id }) => {
  const externalSystem = await startExternalService()
  try {
    const [failed] = await sendTwo(api, externalSystem, id('looks'))
    await page.goto('/deliveries')
    await page.locator(`[data-of="${failed}"] summary`).click()
    await expectAccessible(page)
  } finally {
    externalSystem.stop()
  }
})

test('a new webhook with its secret is accessible and never scrolls sideways', async ({ page, id }) => {
  await page.goto('/settings/webhooks')
  await page.getByTestId('new-webhook').click()
  await expectAccessible(page)
  await page.locator('[name="webhookUrl"]').fill(`https://acme.example/${id('looks')}`)
  await page.getByTestId('create-webhook').click()
  await expect(page.getByTestId('webhooks').getByTestId('secret')).toBeVisible()
  await expectAccessible(page)
})
