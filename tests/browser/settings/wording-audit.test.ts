import { expectTexts } from '#tests/browser/expect-texts.ts'
import { expect, test } from '#tests/browser/test.ts'
import { auditEntry, deniedCall } from './audit-entries.ts'

test('texts of the audit log', async ({ page }) => {
  const entries = [
    auditEntry(3),
    deniedCall(2),
    auditEntry(1, { action: 'link-secret.rotated', sessionId: '', sessionTitle: null, credential: 'page' })
  ]
  await page.route('**/api/audit*', route => route.fulfill({ json: { entries, nextBefore: 1 } }))
  await page.goto('/settings/audit?actor=unknown')
  await page.getByTestId('audit-actor').fill('acme')
  const list = page.getByTestId('audit-entries')
  const row = (index: number) => list.getByRole('listitem').nth(index)
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await row(1).locator('summary').click()
  await expectTexts([
    [page.getByTestId('audit'), 'name', 'Audit log'],
    [page.getByTestId('audit-action'), 'name', 'Action'],
    [page.getByTestId('audit-actor'), 'name', 'Person or agent'],
    [page.getByTestId('audit-sessionId'), 'name', 'Session ID'],
    [page.getByTestId('show-more'), 'text', 'Show earlier entries'],
    [list, 'name', 'Audit entries'],
    [row(0), 'part', 'Reply from an external agent'],
    [row(0), 'part', /12 Mar 2026, 14:02:05 · (just now|\d+\w ago)/],
    [row(1), 'part', 'Call denied by a rule'],
    [row(1).getByTestId('deleted-session'), 'text', 'order-2 (deleted)'],
    [row(1), 'part', 'approval policy · rule'],
    [row(1), 'part', 'Toolsend-emailPattern'],
    [row(2), 'part', 'Link secret rotated']
  ])
})

test('texts of an audit log without entries', async ({ page }) => {
  await page.route('**/api/audit*', route => route.fulfill({ json: { entries: [], nextBefore: null } }))
  await page.goto('/settings/audit?actor=ada')
  await expectTexts([
    [page.getByTestId('no-audit-entries'), 'part', 'No entries match this filter'],
    [page.getByTestId('clear-filter'), 'text', 'Clear filter']
  ])
  await page.getByTestId('clear-filter').click()
  await expectTexts([[page.getByTestId('no-audit-entries'), 'part', 'The first entry appears after']])
})
