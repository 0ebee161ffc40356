import { expect, test } from '#tests/browser/test.ts'
import { openAgent } from './open-agent.ts'

test('the dialog that adds an entry distinguishes agents of the same name, fits a long name, and forgets an old error', async ({
  page,
  api,
  id
}) => {
  const [slug, agentId, twin] = [id('greet'), id('one'), id('two')]
  const greeting = { kind: 'skill', name: `Greet${'x'.repeat(90)}`, data: { parameters: { text: 'Hi.' } } }
  await api('POST', '/api/catalogue', { slug, ...greeting })
  await openAgent({ page, api, agentId, config: { tools: [] } })
  const { displayName } = await api<{ displayName: string }>('GET', `/api/agents/${agentId}`)
  await api('POST', '/api/agents', { agentId: twin, displayName, chat: { model: 'default', tools: [] } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/catalogue/${slug}`)
  await page.getByTestId('add-to-agent').press('Enter')
  const dialog = page.getByRole('dialog')
  expect(
    await dialog.evaluate(({ firstElementChild: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0))
  ).toBe(0)
  const agents = dialog.getByRole('combobox')
  await expect(agents.locator(`option[value="${agentId}"]`)).toContainText(agentId)
  await expect(agents.locator(`option[value="${twin}"]`)).toContainText(twin)
  await agents.selectOption(agentId)
  await dialog.getByTestId('add-to-draft').click()
  await page.waitForURL(`/agents/${agentId}`)

  await page.goto(`/catalogue/${slug}`)
  await page.getByTestId('add-to-agent').click()
  await agents.selectOption(agentId)
  await dialog.getByTestId('add-to-draft').click()
  await expect(dialog.getByRole('alert')).not.toBeEmpty()
  await page.keyboard.press('Escape')
  await page.getByTestId('add-to-agent').click()
  await expect(dialog.getByTestId('add-to-draft')).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
})
