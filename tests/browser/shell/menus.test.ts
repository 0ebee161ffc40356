import { expect, type Page, test } from '#tests/browser/test.ts'

const userMenu = (page: Page) => page.getByTestId('user-menu')
const menu = (page: Page) => page.getByRole('menu')
const item = (page: Page, name: string) => page.locator('[role^="menuitem"]', { hasText: name })

test('a menu opens by click, Enter and arrow key, and Escape returns the focus to its button', async ({
  page
}) => {
  for (const press of ['Enter', 'ArrowDown'])
    await test.step(press, async () => {
      await page.goto('/settings/profile')
      await userMenu(page).focus()
      await page.keyboard.press(press)
      await expect(item(page, 'System')).toBeFocused()
      await expect(userMenu(page)).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Escape')
      await expect(menu(page)).toHaveCount(0)
      await expect(userMenu(page)).toBeFocused()
    })
  await userMenu(page).click()
  await expect(menu(page)).toBeVisible()
  await userMenu(page).click()
  await expect(menu(page)).toHaveCount(0)
})

test('keys move the focus in a menu, and Tab leaves it', async ({ page }) => {
  await page.goto('/settings/profile')
  await userMenu(page).click()
  await expect(item(page, 'System')).toBeFocused()
  for (const [key, name] of [
    ['ArrowDown', 'Light'],
    ['ArrowUp', 'System'],
    ['ArrowUp', 'Sign out'],
    ['ArrowDown', 'System'],
    ['End', 'Sign out'],
    ['Home', 'System'],
    ['l', 'Light']
  ] as const) {
    await page.keyboard.press(key)
    await expect(item(page, name), key).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(menu(page)).toHaveCount(0)
  await expect(userMenu(page)).not.toBeFocused()
})

test('a menu marks the current choice', async ({ page }) => {
  await page.goto('/settings/profile')
  await userMenu(page).click()
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('System theme')
  await item(page, 'Dark').click()
  await userMenu(page).click()
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Dark theme')
})

test('a menu stays in the window, and a press outside closes it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 140 })
  await page.goto('/settings/profile')
  await userMenu(page).click()
  await expect
    .poll(async () => {
      const { x = -1, y = -1, width = 0, height = 0 } = (await menu(page).boundingBox()) ?? {}
      return x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 140
    })
    .toBe(true)
  await page.mouse.click(900, 70)
  await expect(menu(page)).toHaveCount(0)
})
