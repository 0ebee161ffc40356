import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

const sound = async (page: Page, within = 'main') => {
  expect((await new AxeBuilder({ page }).include(within).analyze()).violations.map(({ id }) => id)).toEqual(
    []
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    await page.evaluate(() => window.innerWidth)
  )
}

async function signIn(page: Page) {
  await page.goto(`${server.url}/sign-in`)
  await page.getByRole('button', { name: 'Continue as local owner' }).click()
  await page.waitForURL(/\/sessions\/welcome$/)
}

const uses = (n: number) => `use ask-question {"question": "Number ${n}?", "inputType": "text"}`

test.describe('in the dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('001-15: an approval is remembered from its card, by keyboard; it is seen, and taken back in the session and in the settings', async ({
    page
  }) => {
    await signIn(page)
    await page.request.put(`${server.url}/api/workspace`, {
      data: { toolRules: [{ tool: 'ask-question', mode: 'ask' }] },
      headers: { origin: server.url }
    })
    const made = await page.request.post(`${server.url}/api/plugins/sessions/operations/create`, {
      data: { agentId: 'guide', sessionId: 'held' },
      headers: { origin: server.url }
    })
    expect(made.ok()).toBe(true)
    await page.goto(`${server.url}/sessions/held`)
    const says = async (text: string) => {
      await page.getByRole('textbox', { name: /message/i }).fill(text)
      await page.keyboard.press('Enter')
    }
    const grants = async (path = '/sessions/held') =>
      (await (await page.request.get(`${server.url}/api${path}/grants`)).json()).grants

    await says(uses(1))
    await page.getByRole('button', { name: /1 waits for you/ }).click()
    const holds = page.getByLabel('This approval holds').first()
    await expect(holds).toHaveValue('')
    await expect(page.getByText('Calls with exactly these arguments')).toHaveCount(0)
    await holds.focus()
    await holds.selectOption('for this session')
    await expect(page.getByText('Calls with exactly these arguments').first()).toBeVisible()
    const any = page.getByRole('checkbox', { name: /with any arguments/ }).first()
    await any.focus()
    await page.keyboard.press('Space')
    await expect(page.getByText('runs without anybody having read it').first()).toBeVisible()
    await sound(page, '[role="dialog"]')
    await page.getByRole('button', { name: 'Ask question' }).first().click()
    await expect.poll(grants).toMatchObject([{ toolName: 'ask-question', holds: 'session' }])

    // What was approved is a question now: the sheet stays for it.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Remembered approvals…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remembered approvals' })
    await expect(dialog.getByText('with any arguments')).toBeVisible()
    await dialog.getByRole('button', { name: /^Revoke/ }).click()
    await expect(dialog.getByText('None. Each call is asked about.')).toBeVisible()
    expect(await grants()).toEqual([])
    await page.keyboard.press('Escape')
  })
})

test('001-15: an owner has it hold always, finds it under the tool rules and takes it back', async ({
  page
}) => {
  await signIn(page)
  await page.request.put(`${server.url}/api/workspace`, {
    data: { toolRules: [{ tool: 'ask-question', mode: 'ask' }] },
    headers: { origin: server.url }
  })
  await page.request.post(`${server.url}/api/plugins/sessions/operations/create`, {
    data: { agentId: 'guide', sessionId: 'always' },
    headers: { origin: server.url }
  })
  await page.goto(`${server.url}/sessions/always`)
  await page.getByRole('textbox', { name: /message/i }).fill(uses(2))
  await page.keyboard.press('Enter')
  await page.getByLabel('This approval holds').first().selectOption('always, in every session')
  await page.getByRole('button', { name: 'Ask question' }).first().click()
  await expect
    .poll(async () => (await (await page.request.get(`${server.url}/api/grants`)).json()).grants.length)
    .toBe(1)
  await page.goto(`${server.url}/settings`)
  const section = page.getByRole('region', { name: 'Tool rules' })
  await expect(section.getByText('Number 2?')).toBeVisible()
  await sound(page)
  await section.getByRole('button', { name: /^Revoke/ }).click()
  await expect(section.getByText('None yet.')).toBeVisible()
})

test('001-14, 001-18: an owner sets timeouts and retries; what does not fit says so at its field; nothing is kept in the browser', async ({
  page
}) => {
  await signIn(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/settings`)
  const section = page.getByRole('region', { name: 'Timeouts and retries' })
  const save = section.getByRole('button', { name: 'Save timeouts and retries' })
  const stored = async () =>
    (await (await page.request.get(`${server.url}/api/workspace`)).json()).toolSettings
  await expect(save).toBeDisabled()
  await section.getByLabel('Calls at once').fill('many')
  await save.click()
  await expect(section.getByText('Write a number, like 30, or leave it empty.')).toBeVisible()
  await section.getByLabel('Calls at once').fill('65')
  await save.click()
  await expect(section.getByText('At most 64.')).toBeVisible()
  expect(await stored()).toEqual({})
  await sound(page)
  await section.getByLabel('Calls at once').fill('4')
  await section.getByLabel('Tries of a model call').fill('2')
  await save.click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toEqual({ concurrency: 4, retry: { maxAttempts: 2 } })
  await page.reload()
  await expect(section.getByLabel('Calls at once')).toHaveValue('4')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(
    /concurrency|maxAttempts/
  )
  await section.getByLabel('Calls at once').fill('')
  await section.getByLabel('Tries of a model call').fill('')
  await save.click()
  await expect(section.getByText('Saved.')).toBeVisible()
  expect(await stored()).toEqual({})
})
