import { expect } from '#tests/browser/test.ts'
import { test } from './test.ts'

test('texts of plugins', async ({ page }) => {
  await page.goto('/plugins')
  const list = page.getByTestId('plugins')
  await expect(list).toHaveAccessibleName('Plugins')
  const weather = list.getByRole('listitem').filter({ hasText: 'weather' })
  await expect(weather.getByTestId('plugin-state')).toHaveText('Running.')
  await expect(weather.getByTestId('gives')).toContainText('1 tool and hooks')
  await expect(weather.getByTestId('skipped')).toHaveText('1 skipped')
  const broken = list.getByRole('listitem').filter({ hasText: 'broken' })
  await expect(broken.getByTestId('plugin-state')).toHaveText(/^Failed: /, { timeout: 30_000 })
  await page.goto('/plugins/weather')
  await expect(page.getByTestId('restart-plugin')).toHaveText('Restart plugin')
  await expect(page.getByTestId('skipped')).toContainText('almanac was skipped:')
  await expect(page.getByTestId('hook-events')).toContainText('Receives all nine events.')
  await page.getByTestId('restart-plugin').click()
  await expect(page.getByTestId('plugin-source')).toHaveText(/ · restarted \d+ times?$/)
  await page.goto('/plugins/broken')
  await expect(page.getByTestId('plugin-log').locator('..')).toHaveAccessibleName('Log lines')
})

test('texts of the settings of a plugin', async ({ page, api }) => {
  await api('PUT', '/api/v1/workspaces/default/settings/climate', { settings: { api_key_env: 'OLD' } })
  await page.goto('/plugins/climate')
  const form = page.getByTestId('plugin-settings')
  const setting = (name: string) => form.locator(`[data-setting="${name}"]`)
  const save = form.getByTestId('save')
  await expect(page.getByRole('heading', { level: 2, name: 'Settings' })).toBeVisible()
  await expect(setting('region')).toContainText('region · set by the workspace file')
  await expect(setting('language').getByRole('combobox')).toHaveAccessibleName('language')
  await expect(save).toHaveText('Save settings')
  await setting('api_key_env').getByRole('textbox').fill('')
  await setting('retries').getByRole('textbox').fill('many')
  await save.click()
  await expect(setting('retries').getByTestId('field-error')).toHaveText('Not a number.')
  await expect(setting('api_key_env').getByTestId('field-error')).toHaveText('Required.')
  await setting('api_key_env').getByRole('textbox').fill('NEW')
  await setting('retries').getByRole('textbox').fill('5')
  await save.click()
  await expect(form.getByTestId('outcome')).toHaveText(/^Saved\./)
})

test('texts of the views of a plugin', async ({ page }) => {
  await page.goto('/views/desk/board')
  await expect(page.getByTestId('sidebar').locator('a[href="/views"]')).toHaveText('Views')
  await expect(page.getByTestId('views')).toHaveAccessibleName('Views')
  await expect(page.getByTestId('plugin-views')).toHaveAccessibleName('Plugin views')
  await expect(page.getByTestId('unknown-component')).toContainText(
    '“strange” has an unknown component type: hologram'
  )
  await expect(
    page.getByText("This can't be sent: the plugin doesn't declare its action as a route.")
  ).toBeVisible()
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByTestId('field-error')).toHaveText('This field is required.')
  await page.goto('/views/desk/broken')
  await expect(page.getByTestId('view-error')).toContainText('cannot be read')
  await expect(page.getByTestId('retry')).toHaveText('Try again')
})

test.describe('a plugin that goes down', () => {
  test.use({ allowedError: /WebSocket connection to / })

  test('texts of a chat with it', async ({ page, plugins: { desk } }) => {
    await page.goto('/views/desk/talk')
    const log = page.getByRole('log')
    await page.getByPlaceholder('Ask the desk').fill('Hello')
    await expect(page.getByTestId('send')).toHaveText('Send')
    await page.getByTestId('send').click()
    await expect(log).toContainText('look finished')
    await expect(log).toContainText('desk handed off to archive.')
    await desk.stop()
    await expect(page.getByTestId('stream-state')).toHaveText('Connection lost. Reconnecting…')
    await desk.start()
    await expect(page.getByTestId('stream-state')).toHaveAttribute('data-state', 'open', { timeout: 60_000 })
  })
})
