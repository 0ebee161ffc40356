import { ownRules } from '#tests/browser/server-options.ts'
import { pick } from '#tests/browser/settings/pick.ts'
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

  await section.getByTestId('add-tool-rule').press('Enter')
  const rule = section.getByTestId('tool-rule')
  await expect(rule.getByTestId('rule-tool')).toBeFocused()
  await pick(rule.getByTestId('rule-tool'), 'ask-question')
  await rule.getByTestId('rule-condition').selectOption('pattern')
  const pattern = rule.locator('[name$=".pattern"]')
  await pattern.fill('(?=a)')
  await save.click()
  await expect(rule.getByTestId('field-error')).not.toBeEmpty()
  await expect(pattern).toHaveAttribute('aria-invalid', 'true')
  expect(await stored()).toEqual([])

  await rule.getByTestId('rule-condition').selectOption('contains')
  await rule.locator('[name$=".argument"]').fill('question')
  await rule.locator('[name$=".value"]').fill('secret')
  await section.getByTestId('add-tool-rule').click()
  await pick(rule.last().getByTestId('rule-tool'), 'ask-question')
  await rule.last().getByTestId('rule-decision').selectOption('ask')
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual([
    { tool: 'ask-question', mode: 'ask', deny: [expect.stringContaining('"question":')] }
  ])
  await page.reload()
  await expect(rule.first().locator('[name$=".value"]')).toHaveValue('secret')

  const sessionId = id('denied')
  await api('POST', '/api/plugins/sessions/operations/create', { agentId: 'guide', sessionId })
  await page.goto(`/sessions/${sessionId}`)
  await page.locator('[data-composer]').fill('use ask-question {"question": "Which SECRET?"}')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-tool="ask-question"][data-state="denied"]')).toBeVisible()

  await page.goto('/settings/tool-rules')
  const tester = page.getByTestId('rule-tester')
  const decided = tester.getByTestId('rule-decided')
  await pick(tester.getByTestId('test-tool'), 'ask-question')
  for (const [question, rule] of [
    ['Which SECRET?', 1],
    ['Which color?', 2]
  ] as const) {
    await tester.locator('[name="testParameters"]').fill(JSON.stringify({ question }))
    await tester.getByTestId('test-rules').click()
    await expect(decided).toContainText(String(rule))
    await expect(section.locator('[data-decides]').getByRole('group')).toHaveAccessibleName(
      new RegExp(String(rule))
    )
  }
  await section.getByTestId('remove-tool-rule').first().click()
  await section.getByTestId('remove-tool-rule').click()
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual([])
})
