import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

test('001-15: an owner writes tool rules; what cannot be used says so at its field; a rule holds for the next call', async ({
  page
}) => {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/settings`)
  const section = page.getByRole('region', { name: 'Tool rules' })
  const save = section.getByRole('button', { name: 'Save rules' })
  const stored = async () => (await (await page.request.get(`${server.url}/api/workspace`)).json()).toolRules
  await expect(section.getByText('No rule yet.')).toBeVisible()
  await expect(save).toBeDisabled()

  await section.getByRole('button', { name: 'Add rule' }).click()
  const rule = section.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Tool').fill('ask-question')
  await rule.getByLabel('Deny').fill('secret\n\n(?=a)')
  await save.click()
  await expect(rule.getByText('Pattern 2: look-ahead ((?=) cannot be used here')).toBeVisible()
  await expect(rule.getByLabel('Deny')).toHaveAttribute('aria-invalid', 'true')
  expect(await stored()).toEqual([])
  expect((await new AxeBuilder({ page }).include('main').analyze()).violations.map(({ id }) => id)).toEqual(
    []
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await rule.getByLabel('Deny').fill('secret')
  await rule.getByLabel('Otherwise').selectOption('ask a person')
  await save.click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toEqual([{ tool: 'ask-question', mode: 'ask', deny: ['secret'] }])
  await page.reload()
  await expect(rule.getByLabel('Deny')).toHaveValue('secret')

  await page.goto(`${server.url}/sessions/welcome`)
  await page.getByRole('textbox', { name: /message/i }).fill('use ask-question {"question": "Which SECRET?"}')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/denied by approval policy/i).first()).toBeVisible()

  await page.goto(`${server.url}/settings`)
  await section.getByRole('button', { name: 'Remove rule 1' }).click()
  await save.click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toEqual([])
})
