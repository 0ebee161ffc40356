import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '#tests/browser/test.ts'

test('an owner makes a webhook, copies its secret the one time that it is shown, and removes it again', async ({
  page
}) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Webhooks' })
  await expect(section.getByText('No webhook yet.')).toBeVisible()
  const url = section.getByRole('textbox', { name: 'URL of a new webhook' })
  await url.fill('ftp://acme.example')
  await section.getByRole('button', { name: 'Make webhook' }).click()
  await expect(section.getByText(/url/i).last()).toBeVisible()
  await url.fill('https://acme.example/hook')
  await section.getByRole('checkbox', { name: /session\.parked/ }).uncheck()
  await section.getByRole('button', { name: 'Make webhook' }).click()
  await expect(section.getByText(/^whsec_/)).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])

  await page.reload()
  await expect(section.getByText(/^whsec_/)).toHaveCount(0)
  const row = section.getByRole('listitem').filter({ hasText: 'https://acme.example/hook' })
  await expect(row).toContainText('call.opened, call.expiring, call.settled, turn.failed')
  await row.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove webhook' }).click()
  await expect(section.getByText('No webhook yet.')).toBeVisible()
})
