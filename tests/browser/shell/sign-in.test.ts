import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { authSecret, expect, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'

test.use({ signedIn: false, serverOptions: { own: 'sign-in' } })

const linkTo = (url: string) => localLink({ authSecret, url })

test('22 A6: a link and one click open the welcome session with its starters, and signing out closes every page', async ({
  page,
  server
}) => {
  await page.goto('/sign-in')
  await expect(page.getByTestId('link-help')).toBeVisible()
  await expectAccessible(page)
  const link = linkTo(server.url)
  await page.goto(link)
  await expect(page.getByTestId('continue-as-local-owner')).toBeEnabled()
  await expectAccessible(page)
  await page.getByTestId('continue-as-local-owner').click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await expect(page.getByTestId('starter')).toHaveCount(4)
  await page.goto('/settings/profile')
  await page.getByTestId('sign-out').click()
  await page.waitForURL(/sign-in$/)
  await page.goto('/sessions')
  await expect(page).toHaveURL('/sign-in')
  for (const path of ['/sessions/welcome', '/waiting', '/agents', '/settings/profile']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/sign-in?callbackUrl=${encodeURIComponent(path)}`)
  }
  await page.goto(link)
  await expect(page.getByTestId('continue-as-local-owner')).toHaveCount(0)
  await expectAccessible(page)
})

test('a page that required a sign-in returns to its URL afterwards', async ({
  page,
  context,
  server,
  id
}) => {
  const path = `/attach?agentId=guide&sessionId=${id('order')}`
  await page.goto(path)
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/)
  const other = await context.newPage()
  await other.goto(linkTo(server.url))
  await other.getByTestId('continue-as-local-owner').click()
  await other.waitForURL(/\/sessions\/welcome$/)
  await page.reload()
  await expect(page).toHaveURL(path)
  await page.goto('/sign-in?callbackUrl=https://evil.example/')
  await expect(page).toHaveURL(/\/sessions$/)
  await page.getByTestId('user-menu').click()
  await page.getByTestId('menu-sign-out').click()
  await page.waitForURL(/sign-in$/)
  await page.goto('/sessions')
  await expect(page).toHaveURL('/sign-in')
})

test('22 A5: settings list the sign-ins of the user and end one of them, all others, or all', async ({
  page,
  browser,
  server
}) => {
  const signIn = async (to = page) => {
    await to.goto(linkTo(server.url))
    await to.getByTestId('continue-as-local-owner').click()
    await to.waitForURL(/\/sessions\/welcome$/)
    await to.goto('/settings/profile')
    return to
  }
  const signInOnOtherPage = async () =>
    signIn(await (await browser.newContext({ baseURL: server.url })).newPage())
  const rows = page.getByTestId('sign-ins').getByRole('listitem')
  const first = await signInOnOtherPage()
  await signIn()
  await page.getByTestId('sign-out-everywhere').click()
  await page.waitForURL(/sign-in$/)
  await first.context().close()

  await signIn()
  const [second, third, fourth] = [
    await signInOnOtherPage(),
    await signInOnOtherPage(),
    await signInOnOtherPage()
  ]
  await page.reload()
  await expect(rows).toHaveCount(4)
  await expect(page.locator('[data-current=true]')).toHaveCount(1)
  await expect(page.locator('[data-current=true]').getByTestId('end-sign-in')).toHaveCount(0)
  await page.getByTestId('you').scrollIntoViewIfNeeded()
  await expectAccessible(page)
  await rows.nth(0).getByTestId('end-sign-in').click()
  await expect(rows).toHaveCount(3)
  await fourth.reload()
  await expect(fourth).toHaveURL(/sign-in/)
  await third.reload()
  await expect(third).toHaveURL(/settings/)

  await page.getByTestId('end-other-sign-ins').click()
  await expect(rows).toHaveCount(1)
  await expect(page.getByTestId('end-other-sign-ins')).toHaveCount(0)
  for (const browserPage of [second, third]) {
    await browserPage.reload()
    await expect(browserPage).toHaveURL(/sign-in/)
  }
  await expect(page.getByTestId('sign-out-everywhere')).toHaveCount(0)
  for (const browserPage of [second, third, fourth]) await browserPage.context().close()
})
