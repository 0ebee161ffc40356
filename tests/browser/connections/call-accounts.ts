import { type Api, expect, type Page } from '#tests/browser/test.ts'

/**
 * Makes the clerk place an order for the local owner in a session of the end user Eve. Returns the account line of
 * the pending card.
 */
export async function orderForEve(page: Page, api: Api, sessionId: string) {
  await api('POST', '/api/plugins/sessions/operations/create', {
    agentId: 'acme-clerk',
    sessionId,
    subject: 'eve'
  })
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-composer]').fill('use acme-create-order {"item": "tea", "quantity": 1}')
  await page.keyboard.press('Enter')
  const line = page.getByTestId('dock').getByTestId('account-of')
  await expect(line).toBeVisible()
  return line
}
