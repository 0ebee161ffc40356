import { expect } from '#tests/browser/test.ts'
import { cities, test } from './test.ts'

test('003-5, 003-7, 003-8: the settings form works by keyboard, shows an error at its field, and saved values reach the plugin', async ({
  page,
  api,
  plugins: { climate }
}) => {
  await api('PUT', '/api/v1/workspaces/default/settings/climate', { settings: { api_key_env: 'OLD' } })
  await page.goto('/settings/profile')
  await page.getByTestId('setting-sections').getByRole('link', { name: 'Plugins' }).click()
  await page.getByRole('link', { name: 'climate', exact: true }).click()
  const form = page.getByTestId('plugin-settings')
  const setting = (name: string) => form.locator(`[data-setting="${name}"]`)
  const field = (name: string) => setting(name).getByRole('textbox')
  const save = form.getByTestId('save')
  // The value stays in the file, because it can be a secret.
  await expect(setting('region')).toHaveAttribute('data-fixed', 'true')
  await expect(field('region')).toHaveValue('')
  await expect(field('region')).not.toBeEditable()
  await expect(form.getByRole('radio', { name: 'celsius' })).toBeChecked()

  await field('api_key_env').fill('')
  await field('retries').fill('many')
  await save.click()
  await expect(setting('retries').getByTestId('field-error')).toBeVisible()
  await expect(setting('api_key_env').getByTestId('field-error')).toBeVisible()
  await expect(field('retries')).toHaveAttribute('aria-invalid', 'true')

  await field('retries').fill('5')
  await field('api_key_env').fill('KEY')
  const language = setting('language').getByRole('combobox')
  const search = page.getByRole('dialog').getByRole('combobox')
  await language.press('ArrowDown')
  await search.pressSequentially('nor')
  await expect(page.getByRole('option')).toHaveText(['Norwegian'])
  await search.press('Enter')
  await expect(language).toHaveText('Norwegian')
  await expect(language).toBeFocused()
  const city = setting('city').getByRole('combobox')
  await city.click()
  await expect(page.getByRole('option')).toHaveText(cities)
  await search.press('End')
  await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option').last()).toBeInViewport({ ratio: 1 })
  await search.press('Home')
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await search.pressSequentially('om')
  await expect(page.getByRole('option')).toHaveText(['Rome'])
  await page.getByRole('option', { name: 'Rome' }).click()
  await expect(city).toHaveText('Rome')
  await form.getByRole('radio', { name: 'fahrenheit' }).check()
  await setting('debug').getByRole('checkbox').check()
  await save.press('Enter')
  await expect(form.getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
  await expect
    .poll(() => climate.registered.at(-1)?.config)
    .toEqual({
      api_key_env: 'KEY',
      unit: 'fahrenheit',
      retries: '5',
      language: 'Norwegian',
      city: 'rome',
      debug: 'true',
      region: 'europe'
    })
  await page.reload()
  await expect(field('api_key_env')).toHaveValue('KEY')
  await expect(form.getByRole('radio', { name: 'fahrenheit' })).toBeChecked()
  await expect(save).toBeDisabled()
})

test('Escape closes only the list of a setting, Enter without a match saves nothing, and a value can be cleared', async ({
  page,
  api,
  plugins: _
}) => {
  await api('PUT', '/api/v1/workspaces/default/settings/climate', {
    settings: { api_key_env: 'OLD', language: 'Norwegian' }
  })
  await page.goto('/plugins/climate')
  const form = page.getByTestId('plugin-settings')
  const language = form.locator('[data-setting="language"]').getByRole('combobox')
  const search = page.getByRole('dialog').getByRole('combobox')
  await expect(language).toHaveText('Norwegian')
  await language.click()
  await search.fill('no such language')
  await expect(page.getByRole('option')).toHaveCount(0)
  await search.press('Enter')
  await expect(search).toBeVisible()
  await search.press('Escape')
  await expect(search).toHaveCount(0)
  await expect(language).toHaveText('Norwegian')
  await expect(form.getByTestId('save')).toBeDisabled()
  await language.click()
  await page.getByRole('dialog').getByRole('button').click()
  await expect(language).not.toHaveText('Norwegian')
  await expect(form.getByTestId('save')).toBeEnabled()
})
