import { ownRules } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'

test.use({ serverOptions: ownRules })

type Workspace = { toolRules: object[] }

test('001-15: an owner writes tool rules, an invalid pattern is reported at its field, and a rule applies to the next call', async ({
  page,
  api,
  id
}) => {
  await api('PUT', '/api/workspace', { toolRules: [] })
  await page.goto('/settings/tool-rules')
  const section = page.getByTestId('tool-rules')
  const save = section.getByTestId('save')
  const outcome = section.getByTestId('outcome')
  const stored = async () => (await api<Workspace>('GET', '/api/workspace')).toolRules
  await expect(section.getByTestId('no-tool-rules')).toBeVisible()
  await expect(save).toHaveCount(0)

  await section.getByTestId('add-tool-rule').click()
  const rule = section.getByTestId('tool-rule')
  const deny = rule.locator('[name$=".deny"]')
  await rule.locator('[name$=".tool"]').fill('ask-question')
  await deny.fill('secret\n\n(?=a)')
  await save.click()
  await expect(rule.getByTestId('field-error')).toContainText('2')
  await expect(deny).toHaveAttribute('aria-invalid', 'true')
  expect(await stored()).toEqual([])

  await deny.fill('secret')
  await rule.getByRole('combobox').selectOption('ask')
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual([{ tool: 'ask-question', mode: 'ask', deny: ['secret'] }])
  await page.reload()
  await expect(deny).toHaveValue('secret')

  const sessionId = id('denied')
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-composer]').fill('use ask-question {"question": "Which SECRET?"}')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-tool="ask-question"][data-state="denied"]')).toBeVisible()

  await page.goto('/settings/tool-rules')
  await section.getByTestId('remove-tool-rule').click()
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual([])
})
