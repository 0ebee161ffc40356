import { expect, test } from '#tests/browser/test.ts'

type Secrets = { secrets: { name: string }[] }

test('an owner saves, replaces and removes a secret, by keyboard too, and its value is never shown', async ({
  page,
  api
}) => {
  await page.goto('/settings/secrets')
  const section = page.getByTestId('secrets')
  const dialog = page.getByRole('dialog')
  const add = section.getByTestId('new-secret')
  const name = dialog.locator('[name="secretName"]')
  const value = dialog.locator('[name="secretValue"]')
  const save = dialog.getByTestId('save-secret')
  await expect(section.getByTestId('no-secrets')).toBeVisible()
  await add.click()
  await name.fill('weather key')
  await save.click()
  await expect(dialog.getByTestId('field-error')).toHaveCount(2)
  await name.fill('weather-key')
  await value.fill('k-1')
  await expect(value).toHaveAttribute('type', 'password')
  await dialog.getByTestId('show-secret').click()
  await expect(value).not.toHaveAttribute('type', 'password')
  await value.press('Enter')
  const rows = section.getByRole('listitem')
  await expect(rows).toHaveText([/weather-key/])
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
  await add.press('Enter')
  await name.fill('weather-key')
  await value.fill('the-second-value')
  await save.click()
  await expect(dialog).toHaveCount(0)
  await expect(rows).toHaveCount(1)
  expect((await api<Secrets>('GET', '/api/secrets')).secrets.map(secret => secret.name)).toEqual([
    'weather-key'
  ])
  expect(await page.content()).not.toContain('the-second-value')
  await section.getByTestId('remove-secret').click()
  await dialog.getByTestId('confirm').click()
  await expect(section.getByTestId('no-secrets')).toBeVisible()
})
