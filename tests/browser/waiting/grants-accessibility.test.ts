import { ownRules } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'
import { expectAccessible, expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import { openGrantRequest } from './grant.ts'

test.use({ serverOptions: ownRules })

test('a card with a remembered approval, and the settings with it and with an invalid value, are accessible and never scroll sideways', async ({
  page,
  api,
  id
}) => {
  await openGrantRequest(page, api, id('always'), 2)
  const card = page.getByTestId('dock')
  await card.getByTestId('approval-span').click()
  await expectAccessibleNow(page, 'the menu')
  await page.getByTestId('span-always-any').click()
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 844 })
  await card.getByTestId('approval-span').click()
  await page.getByTestId('span-always').click()
  await card.getByTestId('approve-call').click()
  await expect(page.getByTestId('ask-question-container')).toBeVisible()
  await page.goto('/settings/tool-rules')
  await expect(page.getByTestId('grants').getByTestId('grant-scope')).toBeVisible()
  await expectAccessible(page)
  await page.getByTestId('grants').getByTestId('revoke-grant').click()
  await expect(page.getByTestId('grants').getByTestId('no-grants')).toBeVisible()
  await page.goto('/settings/tools')
  const section = page.getByTestId('tools')
  await section.locator('[name="toolSettings.concurrency"]').fill('many')
  await section.getByTestId('save').click()
  await expect(section.getByTestId('field-error')).toBeVisible()
  await expectAccessible(page)
})
