import { expect, type Page } from '#tests/browser/test.ts'
import type { ServerProcess } from '#tests/support/servers/start-server.ts'

/** Expects that a viewer cannot stop an agent by keyboard, and that the page for links starts no session. */
export async function expectReadOnly(page: Page, server: ServerProcess): Promise<void> {
  await page.goto('/sessions/shared')
  await expect(page.locator('[data-face=idle]')).toBeVisible()
  const cancels: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/cancel')) cancels.push(request.url())
  })
  const sent = await page.request.post('/api/sessions/shared/messages', {
    headers: { authorization: `Bearer ${server.apiKey}` },
    data: { text: 'count to 40' }
  })
  expect(sent.status()).toBe(202)
  await expect(page.locator('[data-face=running]')).toBeVisible()
  await page.keyboard.press('Control+.')
  await expect(page.getByTestId('transcript').getByText('39 40')).toBeVisible()
  expect(cancels).toEqual([])

  await page.goto('/attach?agentId=guide&sessionId=not-yet')
  await expect(page.getByTestId('cannot-start')).toBeVisible()
  await expect(page.getByTestId('create-session')).toHaveCount(0)
  await page.goto('/attach?agentId=guide&sessionId=shared')
  await page.getByTestId('attach-session').click()
  await page.waitForURL('/sessions/shared')
}
