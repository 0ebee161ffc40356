import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '#tests/browser/test.ts'

type Workspace = { retentionDays: number | null }

test('an owner sets the retention of sessions, a reduction needs confirmation, and an invalid number shows an error', async ({
  page,
  api
}) => {
  await api('PUT', '/api/workspace', { retentionDays: null })
  await page.goto('/settings/retention')
  const section = page.getByTestId('retention')
  const days = section.locator('[name="retentionDays"]')
  const save = section.getByTestId('save')
  const fieldError = section.getByTestId('field-error')
  const outcome = section.getByTestId('outcome')
  const stored = async () => (await api<Workspace>('GET', '/api/workspace')).retentionDays
  await expect(days).toHaveValue('')
  await expect(save).toHaveCount(0)
  await days.fill('a month')
  await save.click()
  await expect(fieldError).toBeVisible()

  await days.fill('30')
  await save.click()
  await page.getByRole('dialog').getByTestId('dismiss').click()
  expect(await stored()).toBeNull()
  await save.click()
  const refresh = await delayRefresh(page)
  await page.getByRole('dialog').getByTestId('confirm').click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toBe(30)
  await days.fill('9999')
  // The page still has the previous value, so the new one cannot be compared yet.
  await expect(save).toBeDisabled()
  refresh.release()
  await save.click()
  await expect(fieldError).toContainText('3650')
  await days.fill('')
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toBeNull()
})

test('22 B1: an owner sets when out-of-band messages expire by default', async ({ page, api }) => {
  type Defaults = { outOfBand: { ttlSeconds?: number | null } }
  await api('PUT', '/api/workspace', { outOfBand: {} })
  await page.goto('/settings/signals')
  const section = page.getByTestId('out-of-band-defaults')
  const number = section.locator('[name="outOfBand.ttlSeconds"]')
  const unit = section.getByRole('combobox').last()
  const save = section.getByTestId('save')
  await expect(save).toHaveCount(0)
  for (const invalid of ['an hour', '0', '2592001']) {
    await number.fill(invalid)
    await number.blur()
    await expect(section.getByTestId('field-error')).toBeVisible()
  }
  for (const [text, chosen, outOfBand] of [
    ['1.5', 'hours', { ttlSeconds: 5400 }],
    ['3', 'days', { ttlSeconds: 259_200 }],
    ['', 'days', {}]
  ] as const) {
    await number.fill(text)
    await unit.selectOption(chosen)
    await save.click()
    await expect(section.getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
    expect((await api<Defaults>('GET', '/api/workspace')).outOfBand).toEqual(outOfBand)
  }
  await api('PUT', '/api/workspace', { outOfBand: { ttlSeconds: 5400 } })
  await page.reload()
  await expect(number).toHaveValue('90')
  await expect(unit).toHaveValue('minutes')
  await api('PUT', '/api/workspace', { outOfBand: {} })
})

/** Delays the refresh of the settings page until `release` is called. */
async function delayRefresh(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    url => url.pathname === '/settings/retention',
    async route => {
      if (route.request().headers().rsc !== undefined) await promise
      await route.continue()
    }
  )
  return { release: resolve }
}

test('a session is exported from its menu as a complete JSON Lines file', async ({ page, api, id }) => {
  const sessionId = id('exported')
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await page.getByTestId('session-menu').click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('export-session').click()
  ])
  expect(file.suggestedFilename()).toBe(`${sessionId}.jsonl`)
  const lines = (await readFile(await file.path(), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: 'waystation-export', sessionId })
  expect(lines.at(-1)).toMatchObject({ type: 'end', counts: { session: 1 } })
})
