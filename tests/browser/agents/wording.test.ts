import { expect, test } from '#tests/browser/test.ts'
import { isDraftSaved, openAgent, openProposal, openSection, startSession } from './open-agent.ts'

test('labels of the page of an agent', async ({ page, api, id }) => {
  await openAgent({ page, api, agentId: id('words'), config: { tools: [{ name: 'web-fetch' }] } })
  for (const [field, name] of [
    ['[name="displayName"]', 'Name'],
    ['input[name="description"]', 'Description'],
    ['[name="chat.instructions"]', 'Instructions'],
    ['[data-hook="tool-calling"]', 'Tool calling'],
    ['[data-hook="section-tools"]', 'Tools 1'],
    ['[data-hook="review-draft"]', 'No changes']
  ] as const)
    await expect(page.locator(field), field).toHaveAccessibleName(name)
  await expect(page.getByTestId('draft-state')).toHaveText('Published · Version 1')
  await openSection(page, 'tools')
  await expect(page.locator('[data-tool="web-fetch"]').getByRole('combobox')).toHaveAccessibleName(
    'Approval for web-fetch'
  )
  await openSection(page, 'versions')
  await expect(page.getByTestId('revisions')).toHaveAccessibleName('Versions')
})

test('texts for saving, reviewing, publishing and discarding a draft', async ({ page, api, id }) => {
  const outcome = page.getByTestId('draft-outcome')
  await openAgent({
    page,
    api,
    agentId: id('words'),
    config: { tools: [{ name: 'web-fetch', approval: 'ask' }] }
  })
  await page.getByTestId('tool-calling').selectOption('Prompted (for models without tool support)')
  await openSection(page, 'tools')
  await page.locator('[data-tool="web-fetch"]').getByRole('combobox').selectOption('Automatic')
  await isDraftSaved(page)
  await expect(page.getByTestId('draft-state')).toHaveText(/^Draft saved \d+:\d\d · Version 1$/)
  await expect(page.getByTestId('discard-draft')).toHaveText('Discard…')
  await page.getByTestId('discard-draft').click()
  await expect(page.getByRole('dialog', { name: 'Discard the draft?' })).toBeVisible()
  await expect(page.getByTestId('confirm')).toHaveText('Discard draft')
  await page.keyboard.press('Escape')
  await page.getByTestId('review-draft').click()
  const dialog = page.getByRole('dialog', { name: 'Publish version 2?' })
  await expect(dialog.getByTestId('widened')).toHaveText('web-fetch runs without approval.')
  await expect(dialog.getByTestId('widened')).toHaveAccessibleName('New permissions and limits')
  await expect(dialog.getByTestId('changes')).toHaveAccessibleName('Changes')
  await expect(dialog.getByTestId('changes')).toContainText('Tool calls')
  await expect(dialog.getByTestId('changes')).toContainText('Tools › web-fetch › approval')
  await expect(dialog.locator('[name="note"]')).toHaveAccessibleName('Note (optional)')
  await dialog.getByTestId('publish-revision').click()
  await expect(outcome).toHaveText('Published as version 2.')
  await openSection(page, 'versions')
  await page.getByTestId('restore-revision').click()
  await expect(page.getByRole('dialog', { name: 'Restore version 1?' })).toBeVisible()
  await page.getByTestId('confirm').click()
  await expect(outcome).toHaveText('Published as version 3.')
  await expect(page.locator('[data-revision="3"]')).toContainText('Restores version 1.')
})

test('texts for changes that another window saved and published', async ({ page, api, id }) => {
  await page.clock.install()
  const agentId = id('words')
  await openAgent({ page, api, agentId })
  await page.locator('input[name="description"]').fill('Mine.')
  const config = { agentId, displayName: 'Theirs', chat: { instructions: 'Be brief.' } }
  await api('PUT', `/api/agents/${agentId}/draft`, { config, base: 1, version: 0 })
  await page.locator('input[name="description"]').blur()
  await expect(page.getByTestId('other-draft')).toContainText('saved a draft of this agent in another window')
  await expect(page.getByTestId('other-draft')).toContainText("Your changes in this window aren't saved.")
  await expect(page.getByTestId('load-draft')).toHaveText('Discard my changes')
  await page.getByTestId('replace-draft').click()
  const dialog = page.getByRole('dialog', { name: 'Replace the other draft?' })
  await expect(dialog).toContainText('The draft that Environment key saved is lost.')
  await expect(dialog.getByTestId('confirm')).toHaveText('Replace draft')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('draft-state')).toHaveText('Not saved · Version 1')
})

test('labels for the revision, pin and build kit of a session', async ({ page, api, id }) => {
  const agentId = id('words')
  await openAgent({ page, api, agentId })
  await startSession(api, agentId)
  await page.goto(`/sessions/${agentId}?inspect=config`)
  const header = page.getByTestId('agent-name')
  await expect(header).toHaveText('Agent @ 1')
  await expect(page.getByTestId('pin')).toHaveAccessibleName('Pinned version')
  await expect(page.getByTestId('pin-revision')).toHaveAccessibleName('Version to pin')
  await expect(page.getByTestId('pin-session')).toHaveText('Pin to version')
  await page.getByTestId('pin-revision').fill('7')
  await page.getByTestId('pin-session').click()
  await expect(page.getByTestId('pin').getByRole('alert')).toHaveText(
    `The agent "${agentId}" has no version 7. The published version is 1.`
  )
  const kit = page.getByTestId('build-kit')
  await expect(kit).toHaveAccessibleName('Build kit')
  await expect(kit).toHaveAccessibleDescription(/never saved with the agent/)
  await kit.check()
  await expect(page.getByTestId('kit-chip')).toHaveAccessibleName('Build kit: on')
  await expect(page.getByText('1, with the build kit')).toBeVisible()
  // While a change is in progress, the switch accepts no other.
  await expect(kit).toHaveAttribute('aria-busy', 'false')
  await kit.uncheck()
  await page.getByTestId('pin-revision').fill('1')
  await page.getByTestId('pin-session').click()
  await expect(header).toHaveText('Agent @ 1 pinned')
  await expect(page.getByTestId('unpin-session')).toHaveText('Unpin session')
  await api('PUT', `/api/agents/${agentId}`, { agentId, displayName: 'Newer' })
  await page.reload()
  await expect(page.getByTestId('pin-state')).toHaveText('Pinned to version 1. Version 2 is published.')
})

test('texts of a proposal of an agent for itself', async ({ page, api, id }) => {
  const agentId = id('words')
  const config = await openProposal(
    { page, api, agentId },
    { instructions: 'Be kind.', tools: [{ name: 'web-fetch' }] }
  )
  const dock = page.getByTestId('dock')
  await expect(dock).toHaveAccessibleName('1 pending request')
  await expect(dock.getByRole('heading')).toHaveText('Change the agent: As you asked?')
  await expect(dock.locator('[data-hook="approve-call"]')).toHaveAccessibleName('Publish version')
  await expect(dock.locator('[data-hook="decline-call"]')).toHaveAccessibleName('Decline')
  await dock.getByTestId('edit-call').click()
  const json = dock.getByRole('textbox', { name: /^Arguments \(JSON\)/ })
  await expect(dock.locator('[data-primary]')).toHaveAccessibleName('Publish version with changes')
  await json.fill((await json.inputValue()).replace('"name": "web-fetch"', '"name": 7'))
  await expect(dock.getByText(/This is not a valid configuration: chat\.tools/)).toBeVisible()
  await dock.getByTestId('undo-edits').click()
  await api('PUT', `/api/agents/${agentId}`, { ...config, displayName: 'Renamed' })
  await expect(dock.getByTestId('stale-proposal')).toContainText(
    'Revision 2 was published after this proposal was made'
  )
  await dock.locator('[data-hook="approve-call"]').click()
  await expect(page.getByTestId('transcript')).toContainText(/409: .* published/)
})

test('labels of a tool rule', async ({ page }) => {
  await page.goto('/settings/tool-rules')
  const section = page.getByTestId('tool-rules')
  await expect(section).toHaveAccessibleName('Tool rules')
  await expect(section.getByTestId('no-tool-rules')).toHaveText(/^No rules yet/)
  await expect(section.getByTestId('add-tool-rule')).toHaveText('Add rule')
  await section.getByTestId('add-tool-rule').click()
  const rule = section.getByTestId('tool-rule')
  await expect(rule).toHaveAccessibleName('Rule 1')
  await expect(rule.getByTestId('rule-decision')).toHaveAccessibleName('Decision')
  await expect(rule.getByTestId('remove-tool-rule')).toHaveAccessibleName('Remove rule 1')
  await expect(rule.getByTestId('rule-tool')).toHaveAccessibleName('Tool')
  await rule.getByTestId('rule-condition').selectOption('pattern')
  await rule.locator('[name$=".pattern"]').fill('(?=a)')
  await section.getByTestId('save').click()
  await expect(rule.getByTestId('field-error')).toContainText('Look-ahead ((?=) is not supported')
  const tester = page.getByTestId('rule-tester')
  await expect(tester).toHaveAccessibleName('Which rule applies?')
  await tester.getByTestId('test-rules').click()
  await expect(tester.getByTestId('rule-decided')).toHaveText('Select a tool.')
})
