import { expect, test } from '#tests/browser/test.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { leave, noticesOf, recordNotices } from './notice-shim.ts'

test('a person who looks elsewhere gets one notice of a new request, and a click on it leads there', async ({
  page,
  context,
  api,
  id
}) => {
  await recordNotices(context)
  const badge = page.locator('nav a[href="/waiting"]').first()
  const ask = async (sessionId: string) => {
    await api('POST', '/api/plugins/sessions/operations/create', {
      agentId: 'guide',
      sessionId,
      title: sessionId
    })
    await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.asks('tea', 'coffee') })
  }
  const waiting = async () => {
    const { calls } = await api<{ calls: unknown[] }>('GET', '/api/waiting?mine=true')
    return calls.length
  }
  const before = await waiting()
  await ask(id('before'))
  await expect.poll(waiting).toBe(before + 1)
  await page.goto('/settings')
  await page.getByTestId('notify-waiting').check()
  // The badge and the notices have one source: once the badge counts it, the page knows what waits.
  await ask(id('seen'))
  await expect(badge).toContainText(String(before + 2))

  await leave(page)
  const news = id('news')
  await ask(news)
  await expect.poll(() => noticesOf(page)).toEqual([expect.stringContaining(news)])
  await page.evaluate(() => window.notices.told[0]?.click())
  await page.waitForURL(`**/sessions/${news}`)
  expect(await noticesOf(page)).toHaveLength(1)
})
