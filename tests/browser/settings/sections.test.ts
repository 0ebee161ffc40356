import { expect, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'

test('the settings open with the profile, and each section is accessible', async ({ page }) => {
  test.slow()
  await page.goto('/settings')
  const links = page.getByTestId('setting-sections').getByRole('link')
  await expect(links.and(page.locator('[aria-current=page]'))).toHaveAttribute('href', '/settings/profile')
  const paths = await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
  expect(paths).toContain('/plugins')
  for (const path of paths) {
    // The check of the page before it has changed the width.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(path)
    await expect(links.and(page.locator('[aria-current=page]'))).toHaveAttribute('href', path)
    await expectAccessible(page)
  }
})

test('on a phone, the settings are a list of sections, and each section has a link back to it', async ({
  page
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings')
  const links = page.getByTestId('setting-sections').getByRole('link')
  await expect(page.getByTestId('this-browser')).toBeHidden()
  await expectAccessible(page)
  await links.first().click()
  await page.waitForURL('/settings/profile')
  await expect(page.getByTestId('this-browser')).toBeVisible()
  await expect(links.first()).toBeHidden()
  await page.getByTestId('page-header').locator('a[href="/settings"]').click()
  await expect(links.first()).toBeVisible()
})

test('a bar saves or discards changes, and a link asks before it drops them', async ({ page, api, id }) => {
  const { name } = await api<{ name: string }>('GET', '/api/workspace')
  await page.goto('/settings/general')
  const bar = page.getByTestId('save-bar')
  const field = page.getByTestId('workspace').locator('[name="name"]')
  const people = page.getByTestId('setting-sections').locator('a[href="/settings/people"]')
  await expect(bar).toHaveCount(0)

  await field.fill(id('name'))
  await page.getByTestId('discard').press('Enter')
  await expect(field).toHaveValue(name)
  await expect(bar).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()

  await field.fill(id('name'))
  await people.click()
  await page.getByRole('dialog').getByTestId('dismiss').click()
  await expect(field).toHaveValue(id('name'))
  await people.click()
  await page.getByRole('dialog').getByTestId('confirm').click()
  await page.waitForURL('/settings/people')
  expect((await api<{ name: string }>('GET', '/api/workspace')).name).toBe(name)
})
