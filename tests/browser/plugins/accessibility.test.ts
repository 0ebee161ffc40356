import { expect, type Page } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { test } from './test.ts'

const settings = async (page: Page) => {
  await page.goto('/plugins/climate')
  await expect(page.getByTestId('plugin-settings')).toBeVisible()
}

const states: Record<string, (page: Page) => Promise<void>> = {
  'the list of plugins': async page => {
    await page.goto('/plugins')
    await expect(page.locator('[data-hook="plugin-state"][data-state="failed"]')).toBeVisible({
      timeout: 30_000
    })
  },
  'a plugin that failed': async page => {
    await page.goto('/plugins/broken')
    await expect(page.getByTestId('plugin-log').getByRole('listitem').first()).toBeVisible()
  },
  'a plugin with tools and hooks': async page => {
    await page.goto('/plugins/weather')
    await expect(page.getByTestId('hook-events')).toBeVisible()
  },
  'the settings of a plugin': settings,
  'settings that cannot be saved': async page => {
    await settings(page)
    await page.locator('[data-setting="retries"]').getByRole('textbox').fill('many')
    await page.getByTestId('plugin-settings').getByTestId('save').click()
    await expect(page.getByTestId('field-error').first()).toBeVisible()
  },
  'a list of options': async page => {
    await settings(page)
    await page.locator('[data-setting="city"]').getByRole('combobox').click()
    await expect(page.getByRole('option').first()).toBeVisible()
  },
  'a view with each component there is': async page => {
    await page.goto('/views/desk/board')
    await expect(page.getByTestId('unknown-component')).toBeVisible()
  },
  'a view that cannot be read': async page => {
    await page.goto('/views/desk/broken')
    await expect(page.getByTestId('view-error')).toBeVisible()
  },
  'a chat with a plugin': async page => {
    await page.goto('/views/desk/talk')
    await page.getByRole('textbox').last().fill('Hello')
    await page.getByTestId('send').click()
    await expect(page.getByRole('log')).toContainText('You said “Hello”.')
  }
}

for (const [name, open] of Object.entries(states))
  test(`${name} is accessible and never scrolls sideways`, async ({ page }) => {
    await open(page)
    await expectAccessible(page)
  })
