import { expect, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { hideTab, notificationTitles, recordNotifications } from './record-notifications.ts'

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
  await page.goto('/settings')
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
