import { readFile } from 'node:fs/promises'
import { expect, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

test.beforeEach(async ({ page }) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
})

test('an owner sets how long sessions are kept; less than before asks first, and a wrong number says what is wrong', async ({
  page
}) => {
  await page.goto(`${server.url}/settings`)
  const section = page.getByRole('region', { name: 'Retention' })
  const days = section.getByLabel('Days')
  const save = section.getByRole('button', { name: 'Save retention' })
  const stored = async () =>
    (await (await page.request.get(`${server.url}/api/workspace`)).json()).retentionDays
  await expect(days).toHaveValue('')
  await expect(save).toBeDisabled()
  await days.fill('a month')
  await save.click()
  await expect(section.getByText('Write a whole number of days')).toBeVisible()

  await days.fill('30')
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Keep sessions for 30 days?' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  expect(await stored()).toBeNull()
  await save.click()
  await dialog.getByRole('button', { name: 'Remove older sessions' }).click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toBe(30)

  await days.fill('9999')
  await save.click()
  await expect(section.getByText('At most 3650 days.')).toBeVisible()
  await days.fill('')
  await save.click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toBeNull()
})

test('a session is exported from its menu as a whole file of JSON lines', async ({ page }) => {
  await page.getByRole('button', { name: 'More' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^Export…/ }).click()
  ])
  expect(file.suggestedFilename()).toBe('welcome.jsonl')
  const lines = (await readFile(await file.path(), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: 'waystation-export', sessionId: 'welcome' })
  expect(lines.at(-1)).toMatchObject({ type: 'end', counts: { session: 1 } })
})
