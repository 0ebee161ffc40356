import { expect } from '#tests/browser/test.ts'
import { test, writeBroken } from './test.ts'

test('003-3, 003-4: plugins show their state live, and their log, and can be restarted', async ({
  page,
  id,
  plugins: { folder }
}) => {
  await page.goto('/plugins')
  const list = page.getByTestId('plugins')
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await expect(row('weather').getByTestId('plugin-state')).toHaveAttribute('data-state', 'serving')
  await expect(row('weather').getByTestId('skipped')).toContainText('1')
  await expect(row('broken').getByTestId('plugin-state')).toHaveAttribute('data-state', 'failed', {
    timeout: 30_000
  })

  writeBroken(folder, id('A fault'))
  await list.getByRole('link', { name: 'broken' }).press('Enter')
  await expect(page.getByTestId('plugin-log').getByRole('listitem').first()).toBeVisible()
  await page.getByTestId('restart-plugin').press('Enter')
  await expect(page.getByTestId('plugin-log')).toContainText(id('A fault'))

  await page.locator('#main header a[href="/plugins"]').click()
  await list.getByRole('link', { name: 'weather' }).click()
  await expect(page.getByTestId('skipped')).toContainText('almanac')
  await expect(page.getByTestId('hook-events')).toBeVisible()
  const source = page.getByTestId('plugin-source')
  const restarts = Number(await source.getAttribute('data-restarts'))
  await page.getByTestId('restart-plugin').dblclick()
  await expect(source).toHaveAttribute('data-restarts', String(restarts + 1))
})

test('003-4: a page for an unknown plugin reports that it does not exist', async ({ page }) => {
  await page.goto('/plugins/none')
  await expect(page.getByTestId('lost')).toBeVisible()
})
