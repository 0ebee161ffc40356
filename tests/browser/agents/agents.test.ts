import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, type Page, test } from '#tests/browser/test.ts'
import { publishAgent } from '#tests/support/publish-agent.ts'

/** An agent of its own, and its page. */
async function open(page: Page, config: object = {}): Promise<string> {
  const agentId = `agent-${randomUUID().slice(0, 8)}`
  const data = { agentId, displayName: 'Agent', chat: { instructions: 'Be brief.', ...config } }
  expect((await page.request.post('/api/agents', { headers: key, data })).status()).toBe(201)
  await page.goto(`/agents/${agentId}`)
  await isAlive(page)
  return agentId
}

/** What is typed in the instant in which React takes a field over is put in front of what stands there: no person is that quick. */
const isAlive = (page: Page) =>
  page.waitForFunction(() => {
    const field = document.querySelector('textarea[name="instructions"]')
    return field !== null && Object.keys(field).some(key => key.startsWith('__reactProps'))
  })
const agentOf = async (page: Page, agentId: string) =>
  (await page.request.get(`/api/agents/${agentId}`, { headers: key })).json()
const history = (page: Page) => page.getByRole('region', { name: 'Revisions' })

test('001-14: how an agent’s model calls its tools is chosen under the model, and lets it do nothing more', async ({
  page
}) => {
  const agentId = await open(page)
  const way = page.getByLabel('Tool calls')
  await expect(way).toHaveValue('native')
  await expect(page.getByText('for a model without tool calling')).toBeVisible()
  await way.selectOption('In its text')
  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish revision 2?' })
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Tool calls')
  await expect(dialog.getByRole('list', { name: 'What it lets the agent do more' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published as revision 2.')).toBeVisible()
  expect(await agentOf(page, agentId)).toMatchObject({ chat: { toolCalling: 'text' } })
  await page.reload()
  await expect(way).toHaveValue('text')
})

test('an edit is kept as a draft over a reload, and published with a note after a look at what it changes', async ({
  page
}) => {
  const agentId = await open(page, { tools: [{ name: 'web-fetch', approval: 'ask' }] })
  await expect(page.getByRole('button', { name: 'Publish…' })).toBeDisabled()
  await expect(history(page)).toContainText('there is nothing to compare yet')
  await page.getByLabel('Instructions', { exact: true }).fill('Be brief.\nAnd kind.')
  await page.getByLabel('Approval of web-fetch').selectOption('auto')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/This is a draft over revision 1, saved by Local owner/)).toBeVisible()
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue('Be brief.\nAnd kind.')
  expect(await agentOf(page, agentId)).toMatchObject({ revision: 1, chat: { instructions: 'Be brief.' } })

  await page.getByRole('button', { name: 'Publish…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publish revision 2?' })
  await expect(dialog.getByRole('list', { name: 'What it lets the agent do more' })).toHaveText(
    'web-fetch runs without anybody’s approval.'
  )
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Tools › web-fetch › approval')
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('+ And kind.')
  await dialog.getByLabel('Note').fill('Kinder, and faster.')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Published as revision 2.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(history(page)).toContainText('Kinder, and faster.')
  await expect(page.getByText(/This is a draft/)).toHaveCount(0)
  expect(await agentOf(page, agentId)).toMatchObject({ revision: 2, chat: { tools: [{ approval: 'auto' }] } })
})

test('a draft is discarded only after a question, and the form shows what is published again', async ({
  page
}) => {
  await open(page)
  await page.getByLabel('Instructions', { exact: true }).fill('Never mind.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard…' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue('Never mind.')
  await page.getByRole('button', { name: 'Discard…' }).click()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue('Be brief.')
  await expect(page.getByRole('button', { name: 'Publish…' })).toBeDisabled()
})

test('of two windows the second is told of the first one’s draft, and overwrites nothing', async ({
  page,
  context
}) => {
  const agentId = await open(page)
  const second = await context.newPage()
  await second.goto(`/agents/${agentId}`)
  await second.getByLabel('Description').fill('Second window.')
  await page.getByLabel('Instructions', { exact: true }).fill('First window.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(second.getByText(/Local owner saved a draft of this agent in another window/)).toBeVisible()
  await expect(second.getByText('What you changed here is not in it.')).toBeVisible()
  await second.getByRole('button', { name: 'Save draft' }).click()
  await expect(second.getByText(/saved version 1 of this draft meanwhile; yours began at 0/)).toBeVisible()
  await second.getByRole('button', { name: 'Drop mine and load it' }).click()
  await expect(second.getByLabel('Instructions', { exact: true })).toHaveValue('First window.')
  await expect(second.getByLabel('Description')).toHaveValue('')
  await publishAgent(second, 2)
  // The first one had nothing more than what is published now.
  await expect(page.getByText(/Local owner saved a draft/)).toHaveCount(0)
})

test('a page on which nothing was changed shows what somebody published meanwhile', async ({ page }) => {
  const agentId = await open(page)
  await page.request.put(`/api/agents/${agentId}`, {
    headers: key,
    data: { agentId, displayName: 'Theirs', chat: { instructions: 'Theirs.' } }
  })
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue('Theirs.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Theirs')
})

test('any two revisions can be compared, and an earlier one restored as a new one', async ({ page }) => {
  const agentId = await open(page)
  for (const instructions of ['Two.', 'Three.'])
    await page.request.put(`/api/agents/${agentId}`, {
      headers: key,
      data: { agentId, displayName: 'Compared', chat: { instructions } }
    })
  await page.reload()
  await history(page).getByText('Compare', { exact: true }).click()
  await expect(history(page).getByRole('list', { name: 'Changes' })).toContainText('Two.→Three.')
  await history(page).getByLabel('From').selectOption('1')
  await expect(history(page).getByRole('list', { name: 'Changes' })).toContainText('Be brief.→Three.')

  await page.getByRole('button', { name: 'Restore revision 1…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore revision 1?' })
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Three.→Be brief.')
  await dialog.getByRole('button', { name: 'Restore revision 1' }).click()
  await expect(page.getByText('Published as revision 4.')).toBeVisible()
  await expect(history(page)).toContainText('Restores revision 1.')
  await expect(page.getByLabel('Instructions', { exact: true })).toHaveValue('Be brief.')
})

test('a session says which revision it runs on, is pinned to one, and goes back to what is published', async ({
  page
}) => {
  const agentId = await open(page, { tools: [{ name: 'ask-question' }] })
  const session = `pinned-${agentId}`
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: session }
  })
  await page.goto(`/sessions/${session}?inspect=config`)
  const header = page.locator('header').filter({ hasText: '@' })
  await expect(header).toContainText(/@ 1$|@ 1(?! pinned)/)
  const pin = page.getByRole('form', { name: 'Pin' })
  await pin.getByLabel('Revision to pin to').fill('7')
  await pin.getByRole('button', { name: 'Pin to revision' }).click()
  await expect(pin.getByRole('alert')).toHaveText(`"${agentId}" has no revision 7. The published one is 1.`)
  await pin.getByLabel('Revision to pin to').fill('1')
  await pin.getByRole('button', { name: 'Pin to revision' }).press('Enter')
  await expect(header).toContainText('@ 1 pinned')
  await page.request.put(`/api/agents/${agentId}`, {
    headers: key,
    data: { agentId, displayName: 'Newer', chat: { instructions: 'The newer one.' } }
  })
  await page.reload()
  await expect(header).toContainText('@ 1 pinned')
  await expect(pin).toContainText('It stays on revision 1, though 2 is published.')
  await expect(page.getByText('"instructions": "Be brief."')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await pin.getByRole('button', { name: 'Unpin' }).click()
  await expect(header).toContainText('@ 2')
  await expect(page.getByText('"instructions": "The newer one."')).toBeVisible()
})

test('the build kit is laid over one session, by the keyboard, and every open page of it says so (002-8)', async ({
  page
}) => {
  const agentId = await open(page)
  const session = `kit-${agentId}`
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: session }
  })
  await page.goto(`/sessions/${session}?inspect=config`)
  const header = page.locator('header').filter({ hasText: '@' })
  const kit = page.getByRole('checkbox', { name: 'Build kit' })
  await expect(kit).not.toBeChecked()
  await expect(kit).toHaveAccessibleDescription(/never saved with the agent/)
  const other = await page.context().newPage()
  await other.goto(`/sessions/${session}?inspect=config`)
  await kit.press('Space')
  await expect(header).toContainText('@ 1 + build kit')
  await expect(kit).toBeFocused()
  await expect(other.locator('header').filter({ hasText: '@' })).toContainText('+ build kit')
  await expect(other.getByRole('checkbox', { name: 'Build kit' })).toBeChecked()
  await page.locator('[data-composer]').fill('use read_config {}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('button', { name: /^read_config done/ })).toBeVisible()
  await page.reload()
  await expect(kit).toBeChecked()
  await expect(page.getByText('1, with the build kit')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  expect(await agentOf(page, agentId)).toMatchObject({ revision: 1, chat: { tools: [] } })
  await kit.uncheck()
  await expect(header).not.toContainText('build kit')
  await page.route('**/overlay', route =>
    route.fulfill({ status: 422, json: { error: 'It does not fit.', code: 'INVALID_INPUT' } })
  )
  await kit.click()
  await expect(page.getByText('It does not fit.')).toBeVisible()
  await expect(kit).not.toBeChecked()
})

test('a publish reaches every open page: a session that rests, in a browser that nobody touches (002-16)', async ({
  page,
  browser
}) => {
  const agentId = await open(page)
  const session = `rests-${agentId}`
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: session }
  })
  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
  await other.goto('/sign-in')
  await other.getByRole('button', { name: 'Continue as local owner' }).click()
  await other.waitForURL(/\/sessions\/welcome$/)
  await other.goto(`/sessions/${session}?inspect=config`)
  await expect(other.locator('header').filter({ hasText: '@' })).toContainText('Agent @ 1')
  await other.locator('[data-composer]').fill('Half a')
  await page.getByLabel('Instructions', { exact: true }).fill('Be kind.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await publishAgent(page, 2)
  await expect(other.locator('header').filter({ hasText: '@' })).toContainText('Agent @ 2')
  await expect(other.getByText('"instructions": "Be kind."')).toBeVisible()
  await expect(other.locator('[data-composer]')).toHaveValue('Half a')
})

test('the header follows what is published once the agent has run on it', async ({ page }) => {
  const agentId = await open(page)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: `live-${agentId}` }
  })
  await page.goto(`/sessions/live-${agentId}`)
  await page.request.put(`/api/agents/${agentId}`, { headers: key, data: { agentId, displayName: 'Live' } })
  await page.locator('[data-composer]').fill('say hello there')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.locator('header').filter({ hasText: '@' })).toContainText('@ 2')
})

for (const [colorScheme, width] of [
  ['dark', 390],
  ['light', 390],
  ['dark', 1280],
  ['light', 1280]
] as const)
  test(`drafts, diffs and history have no accessibility fault and do not scroll sideways (${colorScheme}, ${width} px)`, async ({
    page
  }, info) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    const long = `${'A rather long line of instructions. '.repeat(12)}\nSecond.`
    const agentId = await open(page, { tools: [{ name: 'web-fetch', approval: 'ask' }] })
    await page.request.put(`/api/agents/${agentId}`, {
      headers: key,
      data: { agentId, displayName: 'Looked at', chat: { instructions: long } }
    })
    await page.reload()
    await page.getByLabel('Instructions', { exact: true }).fill(`${long}\nThird.`)
    await page.getByRole('checkbox', { name: /client-info/ }).check()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText(/This is a draft over revision 2/)).toBeVisible()
    await history(page).getByText('Compare', { exact: true }).click()
    await expect(history(page).getByRole('list', { name: 'Changes' })).toBeVisible()
    const looksWell = async (name: string) => {
      await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: false })
      expect(
        (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id),
        name
      ).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width)
    }
    await looksWell('form')
    // Saved again, it is compared again.
    await page.getByLabel('Instructions', { exact: true }).fill(`${long}\nFourth.`)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(history(page).getByRole('list', { name: 'Changes' })).toContainText('+ Fourth.')
    await history(page).scrollIntoViewIfNeeded()
    await looksWell('history')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expect(page.getByRole('dialog')).toContainText('It gets the tool client-info.')
    await looksWell('publish')
  })
