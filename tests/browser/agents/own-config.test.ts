import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, key, type Page, test } from '#tests/browser/test.ts'

const tools = [{ name: 'read_config' }, { name: 'commit_revision' }]

/** An agent that proposed this for itself, and the page of the session in which it waits for an answer. */
async function proposes(page: Page, change: object, note = 'As you asked.') {
  const agentId = `self-${randomUUID().slice(0, 8)}`
  const config = { agentId, displayName: 'Self', chat: { instructions: 'Be brief.', tools } }
  expect((await page.request.post('/api/agents', { headers: key, data: config })).status()).toBe(201)
  await page.request.post('/api/plugins/sessions/operations/create', {
    headers: key,
    data: { agentId, sessionId: agentId }
  })
  const proposal = {
    base_revision_id: `${agentId}@1`,
    config: { ...config, type: 'chat', chat: { ...config.chat, ...change } },
    note
  }
  const text = `use commit_revision ${JSON.stringify(proposal)}`
  await page.request.post(`/api/sessions/${agentId}/messages`, { headers: key, data: { text } })
  await page.goto(`/sessions/${agentId}`)
  await expect(page).toHaveTitle(/^\(\d+\) /)
  return { agentId, config }
}

const dock = (page: Page) => page.getByRole('region', { name: /waits for you/ })
const header = (page: Page) => page.locator('header').filter({ hasText: '@' })
const agentOf = async (page: Page, agentId: string) =>
  (await page.request.get(`/api/agents/${agentId}`, { headers: key })).json()

test('a proposal shows what would be different, first what lets the agent do more; published, the page has the new revision (002-3, 002-16)', async ({
  page
}) => {
  const { agentId } = await proposes(page, {
    instructions: 'Be brief.\nAnd kind.',
    tools: [...tools, { name: 'web-fetch', approval: 'auto' }]
  })
  await expect(dock(page).getByRole('heading', { name: 'Change the agent: As you asked?' })).toBeVisible()
  await expect(dock(page).getByRole('list', { name: 'What it lets the agent do more' })).toContainText(
    'web-fetch'
  )
  await expect(dock(page).getByRole('list', { name: 'Changes' })).toContainText('+ And kind.')
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
  await dock(page).getByRole('button', { name: 'Publish it' }).press('Enter')
  await expect(header(page)).toContainText('@ 2')
  await expect(dock(page)).toBeHidden()
  expect(await agentOf(page, agentId)).toMatchObject({
    revision: 2,
    chat: { instructions: 'Be brief.\nAnd kind.' }
  })
})

test('what is proposed can be edited first, or declined with a reason', async ({ page }) => {
  const { agentId } = await proposes(page, { instructions: 'Be long.' })
  await dock(page).getByRole('button', { name: 'Edit…' }).click()
  const json = dock(page).getByRole('textbox', { name: /Arguments, as JSON/ })
  await json.fill(
    (await json.inputValue())
      .replace('Be long.', 'Be kind.')
      .replace(
        /"name": "read_config"\s*\}/,
        '"name": "read_config" }, { "name": "web-fetch", "approval": "auto" }'
      )
  )
  const publish = dock(page).getByRole('button', { name: 'Publish it, edited' })
  // Not what is left to its default, as it was before.
  await expect(dock(page).getByRole('list', { name: 'What it lets the agent do more' })).toHaveText(
    'It gets the tool web-fetch.'
  )
  await expect(dock(page).getByRole('list', { name: 'Changes' })).toContainText('Be kind.')
  const good = await json.inputValue()
  await json.fill(good.replace('"name": "web-fetch"', '"name": 7'))
  await expect(dock(page).getByText(/That is not a configuration: chat\.tools/)).toBeVisible()
  await expect(publish).toBeDisabled()
  await json.fill(good)
  await publish.click()
  await expect(header(page)).toContainText('@ 2')
  expect(await agentOf(page, agentId)).toMatchObject({ revision: 2, chat: { instructions: 'Be kind.' } })

  const other = await proposes(page, { instructions: 'Be rude.' })
  await dock(page).getByRole('button', { name: 'Decline…' }).click()
  await dock(page).getByRole('textbox', { name: /agent/i }).fill('Not that.')
  await dock(page).getByRole('button', { name: 'Decline' }).click()
  await expect(dock(page)).toBeHidden()
  expect(await agentOf(page, other.agentId)).toMatchObject({
    revision: 1,
    chat: { instructions: 'Be brief.' }
  })
})

test('somebody published meanwhile: approved all the same, nothing is published, and the agent is told to read again', async ({
  page
}) => {
  const { agentId, config } = await proposes(page, { instructions: 'Be late.' })
  await page.request.put(`/api/agents/${agentId}`, {
    headers: key,
    data: { ...config, displayName: 'Renamed' }
  })
  await expect(dock(page)).toContainText('Revision 2 was published since.')
  await dock(page).getByRole('button', { name: 'Publish it' }).click()
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText(/409: .* published/)
  expect(await agentOf(page, agentId)).toMatchObject({
    revision: 2,
    displayName: 'Renamed',
    chat: { instructions: 'Be brief.' }
  })
})

for (const [colorScheme, width] of [
  ['dark', 390],
  ['light', 1280]
] as const)
  test(`the card of a proposal is whole and has no accessibility fault (${colorScheme}, ${width} px)`, async ({
    page
  }, info) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    const long = `${'A rather long line of instructions. '.repeat(8)}\nSecond.\nThird.`
    await proposes(page, { instructions: long, tools: [...tools, { name: 'web-fetch' }] }, 'Longer.')
    if (width === 390) await page.getByRole('button', { name: /^\d+ waits for you/ }).click()
    await expect(page.getByRole('list', { name: 'Changes' }).last()).toContainText('+ Third.')
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await info.attach('card', { body: await page.screenshot(), contentType: 'image/png' })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/proposal-${width}.png` })
  })
