import { expect, test } from '#tests/browser/test.ts'

test('001-20: on a server without scripts, the page of an agent shows the tool as disabled with the reason', async ({
  page
}) => {
  await page.goto('/agents/guide?section=tools')
  await page.getByTestId('tool-library').locator('summary').click()
  const tool = page.locator('[data-tool="zx-script"]')
  await expect(tool.getByTestId('tool-unavailable')).toBeVisible()
  await expect(tool.getByTestId('add-tool')).toBeDisabled()
})
