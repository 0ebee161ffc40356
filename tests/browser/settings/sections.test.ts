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

test('unsaved changes survive Back, links and reloads, until they are saved or discarded', async ({
  page,
  api,
  id
}) => {
  const { name } = await api<{ name: string }>('GET', '/api/workspace')
  await page.goto('/settings/people')
  const bar = page.getByTestId('save-bar')
  const field = page.getByTestId('workspace').locator('[name="name"]')
  const link = (section: string) =>
    page.getByTestId('setting-sections').locator(`a[href="/settings/${section}"]`)
  const isBack = async () => {
    await expect(field).toHaveValue(id('name'))
    await expect(bar.getByTestId('save')).toBeEnabled()
    await expect(bar).toHaveAttribute('data-restored', 'true')
  }
  await link('general').click()
  await expect(field).toHaveValue(name)
  await expect(bar).toHaveCount(0)
  await field.fill(id('name'))
  await expect(bar).toHaveAttribute('data-restored', 'false')

  await page.goBack()
  await page.waitForURL('/settings/people')
  await link('general').click()
  await isBack()
  await page.reload()
  await isBack()
  await link('people').click()
  await page.waitForURL('/settings/people')
  await page.goBack()
  await isBack()
  expect((await api<{ name: string }>('GET', '/api/workspace')).name).toBe(name)

  await page.getByTestId('discard').press('Enter')
  await expect(field).toHaveValue(name)
  await expect(bar).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await page.reload()
  await expect(field).toHaveValue(name)
  await expect(bar).toHaveCount(0)

  await page.goto('/settings/tool-rules')
  await page.getByTestId('add-tool-rule').click()
  await page.goBack()
  await expect(field).toHaveValue(name)
  await page.goForward()
  await expect(page.getByTestId('tool-rule')).toHaveCount(1)
})

test('the save bar is at the lower edge of the page, and nothing moves when it appears', async ({ page }) => {
  await page.goto('/settings/general')
  const field = page.getByTestId('workspace').locator('[name="name"]')
  const link = page.getByTestId('link-secret')
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const before = await link.boundingBox()
    await field.press('End')
    await page.keyboard.type('!')
    const bar = await page.getByTestId('save-bar').boundingBox()
    expect(bar!.y + bar!.height).toBe(800)
    expect(await link.boundingBox()).toEqual(before)
    await page.getByTestId('discard').click()
  }
})

test('unsaved changes are dropped if the saved value has changed since', async ({ page, api }) => {
  const { retentionDays } = await api<{ retentionDays: number | null }>('GET', '/api/workspace')
  await page.goto('/settings/retention')
  const field = page.locator('[name="retentionDays"]')
  await field.fill('40')
  await expect(page.getByTestId('save-bar')).toBeVisible()
  await api('PUT', '/api/workspace', { retentionDays: 3000 })
  await page.reload()
  await expect(field).toHaveValue('3,000')
  await expect(page.getByTestId('save-bar')).toHaveCount(0)
  await api('PUT', '/api/workspace', { retentionDays })
})

test('without a sign-in provider, the page of people shows how to set one up', async ({ page, server }) => {
  await page.goto('/settings/people')
  const setup = page.getByTestId('sign-in-setup')
  await expect(setup).toContainText(`${server.url}/api/auth/callback/github`)
  await setup.getByTestId('show-oidc').click()
  await expect(setup).toContainText(`${server.url}/api/auth/callback/oidc`)
  await expect(setup).toContainText('AUTH_OIDC_ISSUER')
  await setup.getByTestId('show-github').click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await setup.getByRole('button').last().click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').map(line => line.split('=')[0])).toEqual(['AUTH_GITHUB_ID', 'AUTH_GITHUB_SECRET'])
})

test('the settings show the ID of the workspace, and the spending of the month against its cap', async ({
  page,
  api
}) => {
  const { id, spendCaps } = await api<{ id: string; spendCaps: object }>('GET', '/api/workspace')
  await page.goto('/settings/general')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByTestId('workspace-id').getByRole('button').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  await page.goto('/settings/spending')
  await expect(page.getByTestId('spent-bar')).toHaveCount(0)
  await api('PUT', '/api/workspace', { spendCaps: { ...spendCaps, workspacePerMonth: 77 } })
  await page.reload()
  await expect(page.getByTestId('spending').getByRole('definition').last()).toContainText('77')
  await expect(page.getByTestId('spent-bar')).toBeVisible()
  await api('PUT', '/api/workspace', { spendCaps })
})
