import { test as signedIn } from '#tests/browser/test.ts'
import { expectAccessible, expectAccessibleNow } from '#tests/support/browser/expect-accessible.ts'
import { askForAccount, askToFetch, openWindow, test } from './shop.ts'

signedIn('accessible, and no sideways scroll: an allowed origin that is refused', async ({ page }) => {
  await page.goto('/settings/embedding')
  const origins = page.locator('[name=allowedOrigins]')
  await origins.fill('https://Friend.example/')
  await page.locator('form', { has: origins }).locator('[type=submit]').click()
  await page.locator('[name=allowedOrigins][aria-invalid=true]').waitFor()
  await expectAccessible(page)
})

test('accessible, and no sideways scroll: a session on a page of another origin', async ({
  page,
  server,
  openShop
}) => {
  const { origin } = await openShop()
  await page.goto(origin)
  await askToFetch(page, server.url)
  await expectAccessible(page)
})

test('accessible, and no sideways scroll: the sheet of an embedded session on a phone', async ({
  page,
  server,
  openShop
}) => {
  const { origin } = await openShop()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(origin)
  await askToFetch(page, server.url)
  await page.locator('button[aria-haspopup=dialog]').last().click()
  await page.locator('[data-place=sheet]').waitFor()
  await expectAccessibleNow(page)
})

test('accessible, and no sideways scroll: the confirmation window for an end user', async ({
  page,
  api,
  openShop
}) => {
  const { origin, sessionId } = await openShop()
  await page.goto(origin)
  await askForAccount(page, api, sessionId)
  const popup = await openWindow(page)
  await popup.getByRole('link').waitFor()
  await expectAccessible(popup)
})
