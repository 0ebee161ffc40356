import { answerUrl, deliveries, now, type StateName, states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page } from '#tests/browser/test.ts'

/**
 * Shows a state of the session page, whose server is silent or unreachable. `served` is the URL of the page without
 * a server.
 */
export async function showState(page: Page, served: string, name: StateName) {
  await page.route('**/api/**', route => {
    if (states[name].line === 'down') return route.abort()
    if (route.request().url().includes('/events')) return
    if (route.request().url().endsWith('/link')) return route.fulfill({ json: { answerUrl } })
    if (route.request().url().endsWith('/deliveries')) return route.fulfill({ json: { deliveries } })
    return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${served}/?state=${name}`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', name)
  // The card of an external call loads its data with separate requests.
  if (states[name].snapshot.calls.some(call => call.where === 'external')) {
    await expect(page.getByText(answerUrl)).toBeAttached()
    await expect(page.getByTestId('call-delivery')).toHaveAttribute('data-delivery', 'delivered')
  }
  const missing = () =>
    document.fonts.ready.then(fonts => [...fonts].filter(({ status }) => status === 'error').map(String))
  expect(await page.evaluate(missing), 'fonts that did not load').toEqual([])
}
