import type { Grant } from '@waystation/protocol/call/grant.ts'
import { grantWords } from '#components/session/wording/grant-words.ts'
import { ownRules } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'
import { openGrantRequest } from './grant.ts'

test.use({ serverOptions: ownRules })

test.describe('in dark mode on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('001-15: an approval is remembered from its card by keyboard, shown in the session and revoked', async ({
    page,
    api,
    id
  }) => {
    const sessionId = id('held')
    const grants = async () =>
      (await api<{ grants: Grant[] }>('GET', `/api/sessions/${sessionId}/grants`)).grants
    await openGrantRequest(page, api, sessionId, 1)
    await page.getByTestId('open-dock').click()
    const card = page.getByRole('dialog')
    const span = card.getByTestId('approval-span')
    await expect(span).toHaveAttribute('data-span', 'once')
    await expect(card.getByTestId('approval-scope')).toHaveCount(0)
    await span.focus()
    for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect(card.getByTestId('approval-scope')).toHaveAttribute('data-any', 'false')
    await expect(span).toBeFocused()
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
      await page.keyboard.press(key)
    await expect(card.getByTestId('approval-scope')).toHaveAttribute('data-any', 'true')
    await card.getByTestId('approve-call').click()
    await expect.poll(grants).toMatchObject([{ toolName: 'ask-question', holds: 'session' }])

    // The call is now a question, and the sheet stays open for it.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByTestId('session-menu').click()
    await page.getByTestId('open-grants').click()
    const dialog = page.getByRole('dialog')
    const [grant] = await grants()
    await expect(dialog.getByTestId('grant-scope')).toHaveText(grantWords(grant!))
    await dialog.getByTestId('revoke-grant').click()
    await expect(dialog.getByTestId('no-grants')).toBeVisible()
    expect(await grants()).toEqual([])
  })
})

test('001-15: an owner remembers an approval for all sessions, finds it under the tool rules and revokes it', async ({
  page,
  api,
  id
}) => {
  const grants = async () => (await api<{ grants: Grant[] }>('GET', '/api/grants')).grants
  await openGrantRequest(page, api, id('always'), 2)
  const card = page.getByTestId('dock')
  await card.getByTestId('approval-span').click()
  await page.getByTestId('span-always').click()
  await card.getByTestId('approve-call').click()
  await expect.poll(async () => (await grants()).length).toBe(1)
  await page.goto('/settings/tool-rules')
  const section = page.getByTestId('grants')
  await expect(section.getByTestId('grant-scope')).toContainText('Number 2?')
  await section.getByTestId('revoke-grant').click()
  await expect(section.getByTestId('no-grants')).toBeVisible()
})

test('001-14, 001-18: an owner sets timeouts and retries, an invalid value is rejected at its field, and the browser stores nothing', async ({
  page,
  api
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/tools')
  const section = page.getByTestId('tools')
  const save = section.getByTestId('save')
  const outcome = section.getByTestId('outcome')
  const concurrency = section.locator('[name="toolSettings.concurrency"]')
  const attempts = section.locator('[name="toolSettings.retry.maxAttempts"]')
  const stored = async () => (await api<{ toolSettings: object }>('GET', '/api/workspace')).toolSettings
  await expect(save).toHaveCount(0)
  for (const invalid of ['many', '65']) {
    await concurrency.fill(invalid)
    await concurrency.blur()
    await expect(section.getByTestId('field-error')).toHaveCount(1)
    await save.click()
    await expect(concurrency).toHaveAttribute('aria-invalid', 'true')
    expect(await stored()).toEqual({})
  }
  await concurrency.fill('4')
  await section.getByTestId('retries').locator('summary').click()
  await attempts.fill('2')
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual({ concurrency: 4, retry: { maxAttempts: 2 } })
  await page.reload()
  await expect(concurrency).toHaveValue('4')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(
    /concurrency|maxAttempts/
  )
  await concurrency.fill('')
  await section.getByTestId('retries').locator('summary').click()
  await attempts.fill('')
  await save.click()
  await expect(outcome).toHaveAttribute('data-outcome', 'saved')
  expect(await stored()).toEqual({})
})
