import { test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'

test('an invalid tool rule is accessible and never scrolls sideways', async ({ page }) => {
  await page.goto('/settings/tool-rules')
  const section = page.getByTestId('tool-rules')
  await section.getByTestId('add-tool-rule').click()
  await section.getByTestId('rule-condition').selectOption('pattern')
  await section.locator('[name$=".pattern"]').fill('(?=a)')
  await section.getByTestId('save').click()
  await section.getByTestId('field-error').waitFor()
  await expectAccessible(page)
})
