import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { looksWell } from '#tests/support/browser/looks-well.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startSession } from './start-session.ts'

const waits = async (page: Page, api: Api, sessionId: string) => {
  await startSession(api, sessionId)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.asks('tea', 'coffee') })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('#waits')).toBeVisible()
}

const states: Record<string, (page: Page, api: Api, sessionId: string) => Promise<unknown>> = {
  'the list of sessions': page => page.goto('/sessions'),
  'what waits': async (page, api, sessionId) => {
    await waits(page, api, sessionId)
    await page.goto('/waiting')
  },
  'a question that waits': waits,
  'the settings': page => page.goto('/settings'),
  'an address that leads nowhere': page => page.goto('/never-was')
}

for (const [name, open] of Object.entries(states))
  test(`${name} looks well`, async ({ page, api, id }) => {
    await open(page, api, id('looks'))
    await expect(page.locator('h1')).toBeAttached()
    await looksWell(page)
  })
