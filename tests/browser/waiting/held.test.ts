import {
  hideTab,
  notificationTitles,
  recordNotifications
} from '#tests/browser/session/record-notifications.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { detail, expect, row, rows, test } from './test.ts'

type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Holds a message in a session, and returns its ID. */
async function hold(api: Api, sessionId: string, content = 'Build 3 is red.'): Promise<string> {
  await api('PUT', `/api/sessions/${sessionId}/oob/policy`, { mode: 'approve' })
  const { id } = await api<{ id: string }>('POST', `/api/sessions/${sessionId}/oob`, {
    content,
    sourceId: 'ci'
  })
  return id
}

const statusOf = async (api: Api, sessionId: string) => {
  const { messages } = await api<{ messages: { status: string }[] }>('GET', `/api/sessions/${sessionId}/oob`)
  return messages[0]?.status
}

test('004-14: a held message is in the count of pending requests, and is approved on the page by keyboard', async ({
  page,
  api,
  waiting
}) => {
  const sessionId = await waiting.createSession('build')
  const id = await hold(api, sessionId)
  await page.goto('/waiting')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.locator('nav a[href="/waiting"]').first()).toContainText('1')
  await expect(row(page, 'build')).toHaveAttribute('data-mine', 'true')
  await expect(detail(page).getByTestId('open-session')).toHaveAttribute(
    'href',
    `/sessions/${sessionId}?oob=${id}`
  )
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(detail(page).locator('[data-held-request]')).toBeFocused()
  await expect(detail(page).locator('blockquote')).toHaveText('Build 3 is red.')
  await expectAccessible(page)
  await expect(detail(page).getByTestId('mute-source')).toBeVisible()
  await detail(page).getByTestId('let-in-message').press('Enter')
  await expect.poll(() => statusOf(api, sessionId)).toBe('visible')
  await expect(rows(page)).toHaveCount(0)
  await expect(page.locator('nav a[href="/waiting"]').first()).not.toContainText(/\d/)
})

test('004-14: when one tab removes a held message, it disappears from another tab at once', async ({
  page,
  context,
  api,
  waiting
}) => {
  const sessionId = await waiting.createSession('build')
  await hold(api, sessionId)
  await page.goto('/waiting')
  await expect(detail(page).getByTestId('let-in-message')).toBeVisible()
  // The page no longer updates its list, so that only the session's log tells.
  await page.route('**/api/waiting**', route => route.abort())
  const session = await context.newPage()
  await session.goto(`/sessions/${sessionId}`)
  await expect(session).toHaveTitle(/^\(1\)/)
  await session.locator('[data-held-message]').getByTestId('remove-message').click()
  await expect(session.locator('[data-held-message]')).toHaveCount(0)
  await expect(session).not.toHaveTitle(/^\(1\)/)
  await expect(rows(page)).toHaveCount(0)
})

test('004-14: a held message causes one browser notification, and its session is among those that wait', async ({
  page,
  context,
  api,
  waiting
}) => {
  await recordNotifications(context)
  const sessionId = await waiting.createSession('build')
  await page.goto('/settings/profile')
  await page.getByTestId('notify-waiting').check()
  await expect(page.locator(`[data-session="${sessionId}"]`)).toBeVisible()
  await hideTab(page)
  await hold(api, sessionId)
  await expect.poll(() => notificationTitles(page)).toEqual([expect.stringContaining('Order build')])
  await page.getByTestId('filter-sessions').click()
  await page.getByTestId('filter-you').click()
  await expect(page.locator(`[data-session="${sessionId}"]`)).toBeVisible()
})
