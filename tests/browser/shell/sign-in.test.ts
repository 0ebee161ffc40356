import { expect, test } from '#tests/browser/test.ts'

test.use({ signedIn: false, serverOptions: { own: 'sign-in' } })

test('one click lands in the unsent session with its prompts; signing out shuts every page', async ({
  page
}) => {
  await page.goto('/sign-in')
  await page.getByTestId('continue-as-local-owner').click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await expect(page.getByTestId('starter')).toHaveCount(3)
  await page.goto('/settings')
  await page.getByTestId('sign-out').click()
  await page.waitForURL(/sign-in$/)
  await page.goto('/sessions')
  await expect(page).toHaveURL('/sign-in')
  for (const path of ['/sessions/welcome', '/waiting', '/agents', '/settings']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/sign-in?callbackUrl=${encodeURIComponent(path)}`)
  }
})

test('a link leads where it points, with a sign-in on the way', async ({ page, context, id }) => {
  const link = `/attach?agentId=guide&sessionId=${id('order')}`
  await page.goto(link)
  await page.getByTestId('continue-as-local-owner').click()
  await expect(page).toHaveURL(link)
  await context.clearCookies()
  await page.goto('/sign-in?callbackUrl=https://evil.example/')
  await page.getByTestId('continue-as-local-owner').click()
  await expect(page).toHaveURL(/\/sessions\/welcome$/)
})
