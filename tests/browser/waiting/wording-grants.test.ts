import { expectTexts } from '#tests/browser/expect-texts.ts'
import { ownRules } from '#tests/browser/server-options.ts'
import { expect, test } from '#tests/browser/test.ts'
import { openGrantRequest } from './grant.ts'

test.use({ serverOptions: ownRules })

test('texts of a remembered approval', async ({ page, api, id }) => {
  await openGrantRequest(page, api, id('held'), 1)
  const card = page.getByTestId('dock')
  const span = card.getByTestId('approval-span')
  await expectTexts([[span, 'name', 'How long to approve: Once']])
  await span.click()
  await expect(page.getByRole('menuitemradio')).toHaveText([
    'Once',
    'For this session',
    'Always, in every session',
    'For this session, any arguments',
    'Always, any arguments'
  ])
  await page.getByTestId('span-session').click()
  await expectTexts([[card.getByTestId('approval-scope'), 'part', 'Calls with exactly these arguments']])
  await span.click()
  await page.getByTestId('span-session-any').click()
  await expectTexts([
    [card.getByTestId('approval-scope'), 'part', 'will run without review'],
    [card.getByTestId('approve-call'), 'name', 'Approve · for session']
  ])
  await card.getByTestId('approve-call').click()
  // The dialog lists what is stored when it opens.
  await expect(page.getByTestId('ask-question-container')).toBeVisible()
  await page.getByTestId('session-menu').click()
  await expectTexts([[page.getByTestId('open-grants'), 'text', 'Remembered approvals…']])
  await page.getByTestId('open-grants').click()
  const dialog = page.getByRole('dialog')
  await expectTexts([
    [dialog, 'name', 'Remembered approvals'],
    [dialog.getByTestId('grant-scope'), 'text', 'with any arguments'],
    [dialog.getByTestId('revoke-grant'), 'name', /^Revoke/]
  ])
  await dialog.getByTestId('revoke-grant').click()
  await expectTexts([
    [
      dialog.getByTestId('no-grants'),
      'text',
      'No remembered approvals yet. To add one, approve a call for this session.'
    ]
  ])
})

test('texts of the settings', async ({ page }) => {
  await page.goto('/settings/tool-rules')
  const grants = page.getByTestId('grants')
  await expectTexts([
    [page.getByTestId('tool-rules'), 'name', 'Tool rules'],
    [grants, 'name', 'Remembered approvals'],
    [grants.getByTestId('no-grants'), 'text', /^No remembered approvals/]
  ])
  await page.goto('/settings/tools')
  const section = page.getByTestId('tools')
  await section.getByTestId('retries').locator('summary').click()
  await expectTexts([
    [section, 'name', 'Limits'],
    [section.locator('[name="toolSettings.concurrency"]'), 'name', 'Parallel calls (calls)'],
    [section.locator('[name="toolSettings.retry.maxAttempts"]'), 'name', 'Attempts per model call (attempts)']
  ])
  const concurrency = section.locator('[name="toolSettings.concurrency"]')
  for (const [invalid, message] of [
    ['many', 'Must be a whole number, like 8.'],
    ['65', 'Must be at most 64.']
  ] as const) {
    await concurrency.fill(invalid)
    await section.getByTestId('save').click()
    await expectTexts([[section.getByTestId('field-error'), 'text', message]])
  }
})
