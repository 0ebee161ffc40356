import { openSession } from '#tests/browser/session/open.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const menuButton = (page: Page) => page.getByTestId('session-menu')

async function openPolicy(page: Page): Promise<void> {
  await menuButton(page).click()
  await page.getByRole('menuitem', { name: /Signals/ }).click()
  await expect(dialog(page)).toBeVisible()
}

test.beforeEach(async ({ page, api, id }) => {
  await openSession(page, api, { agentId: 'guide', sessionId: id('dialogs') })
})

test('Escape closes a dialog, also twice in a row, and the focus returns to the button of its menu', async ({
  page
}) => {
  for (const _ of ['once', 'again']) {
    await openPolicy(page)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(menuButton(page)).toBeFocused()
  }
})

test('Tab does not leave a dialog for the page behind it', async ({ page }) => {
  await openPolicy(page)
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press('Tab')
    const isBehind = await page.evaluate(() => {
      const focused = document.activeElement
      return focused !== document.body && focused?.closest('dialog') === null
    })
    expect(isBehind).toBe(false)
  }
})

test('a click outside closes a dialog, and a selection that ends outside does not', async ({ page }) => {
  await openPolicy(page)
  const box = await dialog(page).boundingBox()
  if (box === null) throw new Error('The dialog has no box.')
  await page.mouse.move(box.x + 60, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x - 40, box.y + 40)
  await page.mouse.up()
  await expect(dialog(page)).toBeVisible()
  await page.mouse.click(box.x - 40, box.y + 40)
  await expect(dialog(page)).toHaveCount(0)
})
