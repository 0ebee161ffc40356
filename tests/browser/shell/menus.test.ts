import { expect, type Page, test } from '#tests/browser/test.ts'

const themeMenu = (page: Page) => page.getByRole('button', { name: 'Theme' })
const menu = (page: Page) => page.getByRole('menu')

test('a menu opens by click, Enter and arrow key, and Escape returns the focus to its button', async ({
  page
}) => {
  for (const press of ['Enter', 'ArrowDown'])
    await test.step(press, async () => {
      await page.goto('/settings')
      await themeMenu(page).focus()
      await page.keyboard.press(press)
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(menu(page)).toHaveCount(0)
      await expect(themeMenu(page)).toBeFocused()
    })
  await themeMenu(page).click()
  await expect(menu(page)).toBeVisible()
  await themeMenu(page).click()
  await expect(menu(page)).toHaveCount(0)
})

test.describe('without its code, as after a deploy', () => {
  test.use({ allowedError: /Failed to load resource|dynamically imported module|ChunkLoadError/ })

  test('a menu says that it was not loaded, and opens once its code can be loaded', async ({ page }) => {
    await page.goto('/settings')
    await page.route('**/*.js', route => route.abort())
    await themeMenu(page).click()
    await expect(page.getByTestId('part-not-loaded')).toBeVisible()
    await page.unroute('**/*.js')
    await page.getByTestId('part-not-loaded').getByRole('button').click()
    await themeMenu(page).click()
    await expect(menu(page)).toBeVisible()
  })
})
