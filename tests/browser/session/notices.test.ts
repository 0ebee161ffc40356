import { demo } from '#tests/support/fakes/demo.ts'
import { createExternal, openSession, typeMessage } from './open.ts'
import { hideTab, notificationTitles, recordNotifications } from './record-notifications.ts'
import { type Api, type ExternalSystem, expect, type Page, test } from './test.ts'

test('a user in another tab gets one notification of a new request, and a click on it opens the session', async ({
  page,
  context,
  api,
  id
}) => {
  await recordNotifications(context)
  const badge = page.locator('nav a[href="/waiting"]').first()
  const ask = async (sessionId: string) => {
    await api('POST', '/api/plugins/sessions/operations/create', {
      agentId: 'guide',
      sessionId,
      title: sessionId
    })
    await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  }
  const countWaiting = async () => {
    const { calls } = await api<{ calls: unknown[] }>('GET', '/api/waiting?mine=true')
    return calls.length
  }
  const before = await countWaiting()
  await ask(id('before'))
  await expect.poll(countWaiting).toBe(before + 1)
  await page.goto('/settings/profile')
  await page.getByTestId('notify-waiting').check()
  // The badge and the notifications share one data source. Once the badge has this count, the page knows the request.
  await ask(id('seen'))
  await expect(badge).toContainText(String(before + 2))

  await hideTab(page)
  const sessionId = id('news')
  await ask(sessionId)
  await expect.poll(() => notificationTitles(page)).toEqual([expect.stringContaining(sessionId)])
  await page.evaluate(() => window.notices.shown[0]?.click())
  await page.waitForURL(`**/sessions/${sessionId}`)
  expect(await notificationTitles(page)).toHaveLength(1)
})

test('a reply in another session is notified and marked as unread, until the session is opened', async ({
  page,
  context,
  api,
  external,
  id
}) => {
  await recordNotifications(context)
  const sessionId = id('acme')
  await openWithNotifications(page, api, external, sessionId)
  const mark = page.locator(`[data-session="${sessionId}"]`).getByTestId('unread')
  await expect(mark).toHaveCount(0)

  await hideTab(page)
  await external.reply('On its way.')
  await expect.poll(() => notificationTitles(page)).toEqual([expect.stringContaining('two crates')])
  await expect(mark).toBeVisible()

  // A loaded page is visible again.
  const read = page.waitForResponse(`**/api/sessions/${sessionId}/read`)
  await page.goto(`/sessions/${sessionId}`)
  expect((await read).status()).toBe(200)
  await page.goto('/settings/profile')
  await expect(page.locator(`[data-session="${sessionId}"]`)).toBeVisible()
  await expect(mark).toHaveCount(0)
})

test('a reply in a session that the filter of the list hides is notified too', async ({
  page,
  context,
  api,
  external,
  id
}) => {
  await recordNotifications(context)
  const sessionId = id('hidden')
  await openWithNotifications(page, api, external, sessionId)
  await page.getByTestId('filter-sessions').click()
  await page.getByTestId('filter-failed').click()
  await expect(page.locator(`[data-session="${sessionId}"]`)).toHaveCount(0)

  await hideTab(page)
  await external.reply('On its way.')
  await expect.poll(() => notificationTitles(page)).toEqual([expect.stringContaining('two crates')])
})

/** Opens a session of an external agent, sends "two crates", leaves it, and turns on notifications. */
async function openWithNotifications(page: Page, api: Api, external: ExternalSystem, sessionId: string) {
  await createExternal(api, sessionId, external)
  await openSession(page, api, { agentId: sessionId, sessionId })
  const opened = page.waitForResponse(`**/api/sessions/${sessionId}/read`)
  await typeMessage(page, 'two crates')
  await opened
  await expect.poll(() => external.received.length).toBe(1)
  await page.goto('/settings/profile')
  await page.getByTestId('notify-waiting').check()
}
