import { ci, expect, openPolicy, test } from './test.ts'

test('004-14: the dialog shows the inherited policy; a session overrides it, and inherits it again', async ({
  page,
  api,
  id,
  outOfBand
}) => {
  const sessionId = await outOfBand.create('inherits', 'Inherits')
  const agentId = id('crew')
  await page.goto(`/sessions/${sessionId}`)
  // The open page gets no event for this change.
  await api('PUT', `/api/agents/${agentId}`, {
    agentId,
    displayName: 'Crew',
    outOfBand: { mode: 'approve', minPriority: 'high', muted: [ci] }
  })
  const dialog = await openPolicy(page)
  const mode = (value: string) => dialog.locator(`input[type="radio"][value="${value}"]`)
  const save = async () => {
    await dialog.getByTestId('save').click()
    await expect(dialog.getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
  }
  await expect(dialog.getByTestId('muted-origin')).toBeVisible()
  await expect(mode('inherit')).toBeChecked()
  await expect(dialog.getByTestId('refused-priorities')).toContainText('high')
  await mode('off').check()
  await dialog.getByTestId('unmute-source').click()
  await save()
  expect(await outOfBand.policyOf(sessionId)).toMatchObject({
    mode: 'off',
    minPriority: 'high',
    muted: [],
    from: { mode: 'session', minPriority: 'agent', muted: 'session' }
  })
  await mode('inherit').check()
  await dialog.getByTestId('reset-muted').click()
  await save()
  expect(await outOfBand.policyOf(sessionId)).toMatchObject({
    mode: 'approve',
    muted: [ci],
    from: { mode: 'agent', minPriority: 'agent', muted: 'agent' }
  })
})

test('004-14: the settings store the limits of a workspace, and an invalid one shows its error at the field', async ({
  page,
  api
}) => {
  await page.goto('/settings/signals')
  const section = page.getByTestId('out-of-band-defaults')
  const field = (name: string) => section.locator(`[name="outOfBand.${name}"]`)
  await section.getByTestId('advanced').locator('summary').first().click()
  await field('pending.visible').fill('200')
  await section.getByTestId('save').click()
  await expect(field('pending.urgent')).toHaveAttribute('aria-invalid', 'true')
  await field('pending.urgent').fill('300')
  await section.getByTestId('save').click()
  await expect(section.getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
  const { outOfBand } = await api<{ outOfBand: object }>('GET', '/api/workspace')
  expect(outOfBand).toEqual({ pending: { visible: 200, urgent: 300 } })
})

test('Reset brings back the default of an amount, and moves the focus to its field', async ({
  page,
  api
}) => {
  await api('PUT', '/api/workspace', { toolSettings: { concurrency: 5 } })
  await page.goto('/settings/tools')
  const section = page.getByTestId('tools')
  const calls = section.locator('[name="toolSettings.concurrency"]')
  await expect(calls).toHaveValue('5')
  await section.getByTestId('reset-amount').press('Enter')
  await expect(calls).toHaveValue('')
  await expect(calls).toBeFocused()
  await section.getByTestId('save').click()
  await expect(section.getByTestId('outcome')).toHaveAttribute('data-outcome', 'saved')
  const { toolSettings } = await api<{ toolSettings: object }>('GET', '/api/workspace')
  expect(toolSettings).toEqual({})
})

test('004-14: an owner limits the out-of-band messages of a new key, and the list shows the limits', async ({
  page,
  api,
  id
}) => {
  const name = id('CI')
  await page.goto('/settings/keys')
  await page.getByTestId('new-key').click()
  const trust = page.getByTestId('key-trust')
  await page.getByRole('dialog').locator('summary').click()
  await expect(trust.locator('[name="external"]')).toBeChecked()
  await page.getByTestId('key-name').fill(name)
  await trust.locator('[name="system"]').press('Space')
  await page.getByTestId('key-max-priority').selectOption('critical')
  await page.getByTestId('create-key').click()
  const row = page.getByTestId('keys').getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('critical')
  const { keys } = await api<{ keys: { name: string; outOfBand: object }[] }>('GET', '/api/keys')
  expect(keys.find(key => key.name === name)?.outOfBand).toEqual({
    maxPriority: 'critical',
    sources: ['system', 'external']
  })
})
