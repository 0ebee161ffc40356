import postgres from 'postgres'
import { localOwner } from '#lib/auth/sign-in/local-owner.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { auditEntry, branchOnce, deniedCall } from './audit-entries.ts'

const rows = (page: Page) => page.getByTestId('audit-entries').getByRole('listitem')

test('000-23: owners read the audit newest first, filter it by event, person and session, and open the session', async ({
  page,
  api,
  id
}) => {
  const [first, second] = [id('first'), id('second')]
  await branchOnce(api, first, `Title of ${first}`)
  await branchOnce(api, second, `Title of ${second}`)
  await page.goto('/settings')
  await page.getByTestId('setting-sections').locator('a[href="/settings/audit"]').click()
  await page.waitForURL(/\/settings\/audit$/)
  await expect(
    rows(page)
      .filter({ hasText: /Title of / })
      .first()
  ).toContainText(second)

  await page.getByTestId('audit-sessionId').fill(first)
  await expect(rows(page)).toHaveCount(1)
  await page.waitForURL(url => url.searchParams.get('sessionId') === first)
  await page.getByTestId('audit-action').selectOption('call.denied')
  await expect(page.getByTestId('no-audit-entries')).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('audit-action')).toHaveValue('call.denied')
  await expect(page.getByTestId('no-audit-entries')).toBeVisible()
  await page.getByTestId('audit-action').selectOption('session.branched')
  await expect(rows(page)).toHaveAttribute('data-action', 'session.branched')
  await page.getByTestId('audit-actor').fill('no such person')
  await expect(rows(page)).toHaveCount(0)
  await page.getByTestId('clear-filter').click()
  await page.waitForURL(/\/settings\/audit$/)

  await page.getByTestId('audit-sessionId').fill(first)
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('audit-sessionId').blur()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await rows(page).getByRole('link').click()
  await page.waitForURL(url => url.pathname === `/sessions/${first}`)

  await api('POST', '/api/plugins/sessions/operations/delete', { sessionId: first })
  await page.goto(`/settings/audit?sessionId=${first}`)
  await rows(page).locator('summary').click()
  await expect(page.getByTestId('deleted-session')).toContainText(first)
  await expect(rows(page).getByRole('link')).toHaveCount(0)
})

test('earlier entries load on request, and an unreachable server is reported', async ({ page }) => {
  let isReachable = false
  await page.route('**/api/audit*', route => {
    if (!isReachable) return route.abort()
    const before = new URL(route.request().url()).searchParams.get('before')
    const json =
      before === '7'
        ? { entries: [deniedCall(6)], nextBefore: null }
        : { entries: [auditEntry(7)], nextBefore: 7 }
    return route.fulfill({ json })
  })
  await page.goto('/settings/audit?actor=unknown')
  await page.getByTestId('audit-actor').fill('acme')
  await expect(page.getByTestId('audit-error')).not.toBeEmpty()
  isReachable = true
  await page.getByTestId('refresh').click()
  await expect(rows(page)).toContainText(['Order 7'])
  await page.getByTestId('show-more').click()
  await expect(rows(page)).toContainText(['Order 7', 'order-6'])
  await expect(rows(page).last().getByTestId('deleted-session')).toBeHidden()
  await rows(page).last().locator('summary').press('Enter')
  await expect(rows(page).last().getByTestId('deleted-session')).toBeVisible()
  await expect(page.getByTestId('show-more')).toHaveCount(0)
  await expectAccessible(page)
})

test('the list shows new entries when the page gets the focus', async ({ page }) => {
  let entries = [auditEntry(1)]
  await page.route('**/api/audit*', route => route.fulfill({ json: { entries, nextBefore: null } }))
  await page.goto('/settings/audit?actor=unknown')
  await page.getByTestId('audit-actor').fill('acme')
  await expect(rows(page)).toContainText(['Order 1'])
  entries = [auditEntry(2), ...entries]
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(rows(page)).toContainText(['Order 2', 'Order 1'])
})

test('the palette finds the audit log, and members who do not own the workspace see who can read it', async ({
  page,
  server,
  id
}) => {
  await page.goto('/sessions')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('audit')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/settings\/audit$/)

  const north = id('north')
  const sql = postgres(server.databaseUrl, { max: 1 })
  try {
    await sql`insert into workspaces (id, name, link_secret) values (${north}, ${north}, 'a link secret')`
    await sql`insert into members (workspace_id, user_id, role) values (${north}, ${localOwner.id}, 'editor')`
    await page.reload()
    await page.getByTestId('change-workspace').click()
    await page.getByRole('menuitem', { name: north }).click()
    await expect(page.getByTestId('change-workspace')).toContainText(north)
    await page.goto('/settings/audit')
    await expect(page.getByTestId('owners-only')).toBeVisible()
    await expect(page.getByTestId('audit-entries')).toHaveCount(0)
  } finally {
    await sql`delete from members where workspace_id = ${north}`
    await sql.end()
  }
})
