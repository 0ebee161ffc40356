import { scriptError } from '@waystation/sandbox'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { pick } from '#tests/browser/settings/pick.ts'
import { requestScript, scriptCall } from './request-script.ts'
import { expect, test } from './test.ts'

let hasSandbox: boolean
test.beforeAll(async () => {
  hasSandbox = (await scriptError()) === undefined
})

test('001-20: the card of a script shows it completely, with hidden characters, and it can be edited, run and its result read', async ({
  page,
  api,
  id
}) => {
  // Without a sandbox, the tool is disabled and shows the reason.
  if (!hasSandbox) {
    await page.goto('/agents/guide?section=tools')
    return expect(page.locator('[data-tool="zx-script"]').getByTestId('tool-unavailable')).toBeVisible()
  }
  const long = Array.from({ length: 60 }, (_, at) => `console.log('line ${at}')`).join('\n')
  const card = await requestScript(page, api, id('scripts'), `// safe\u202e\n${long}\n`)
  const code = card.getByTestId('script').getByRole('region')
  await expect(code.locator('mark')).toHaveText('U+202E')
  await expect(code).toContainText("console.log('line 0')\nconsole.log('line 1')")
  await expect(code).toContainText("console.log('line 59')")
  await expect(card.getByTestId('hidden-characters')).toBeVisible()
  await expect(card.getByTestId('approval-span')).toHaveCount(0)

  await card.getByTestId('edit-call').click()
  const field = card.getByRole('textbox')
  await expect(field).toHaveValue(/^\/\/ safe/)
  await field.fill('console.log("edited", 6 * 7)')
  await card.getByTestId('approve-edited').click()
  const call = scriptCall(page)
  await expect(call).toHaveAttribute('data-state', 'approved')
  await expect(call).toContainText(localOwner.name)
  await call.locator('[data-toggle]').click()
  await expect(call.locator('[data-edition="edited"]').getByRole('region')).toHaveText(
    'console.log("edited", 6 * 7)'
  )
  await expect(call.getByTestId('script-output').getByRole('region')).toHaveText('edited 42')
  await expect(call.getByTestId('script-end')).toHaveAttribute('data-exit-code', '0')
})

test('001-20: neither a tool rule nor an agent config can run scripts without approval', async ({
  page,
  api,
  id
}) => {
  await page.goto('/settings/tool-rules')
  const rules = page.getByTestId('tool-rules')
  await rules.getByTestId('add-tool-rule').click()
  const rule = rules.getByTestId('tool-rule').last()
  await expect(rule.getByTestId('always-asked')).toHaveCount(0)
  await pick(rule.getByTestId('rule-tool'), 'zx-script')
  await expect(rule.getByTestId('always-asked')).toBeVisible()
  const agentId = id('scripted')
  const tools = [{ name: 'zx-script', approval: 'ask' }]
  await api('POST', '/api/agents', { agentId, displayName: 'Scripted', chat: { tools } })
  await page.goto(`/agents/${agentId}?section=tools`)
  const tool = page.locator('[data-tool="zx-script"]')
  await expect(tool.getByRole('combobox')).toHaveValue('ask')
  await expect(tool.getByRole('combobox')).toBeDisabled()
})
