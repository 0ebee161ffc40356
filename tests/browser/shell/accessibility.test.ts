import { type Api, expect, type Page, test } from '#tests/browser/test.ts'
import { expectAccessible } from '#tests/support/browser/expect-accessible.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startSession } from './start-session.ts'

const openPending = async (page: Page, api: Api, sessionId: string) => {
  await startSession(api, sessionId)
  await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
  await page.goto(`/sessions/${sessionId}`)
  await expect(page.locator('#waits')).toBeVisible()
}

const states: Record<string, (page: Page, api: Api, sessionId: string) => Promise<unknown>> = {
  'the list of sessions': page => page.goto('/sessions'),
  'what waits': async (page, api, sessionId) => {
    await openPending(page, api, sessionId)
    await page.goto('/waiting')
  },
  'a question that waits': openPending,
  'the settings': page => page.goto('/settings/profile'),
  'an address that leads nowhere': page => page.goto('/never-was')
}

for (const [name, open] of Object.entries(states))
  test(`${name} is accessible and never scrolls sideways`, async ({ page, api, id }) => {
    await open(page, api, id('looks'))
    // While a page streams in, it also has the heading of its loading state for a moment.
    await expect(page.locator('h1').first()).toBeAttached()
    await expectAccessible(page)
  })

test('on a phone, the agents in the new-session dialog do not overlap, however many there are', async ({
  page,
  api,
  id
}) => {
  const description = 'Reads the letters of the day, sorts them by sender, and drafts a reply to each.'
  for (let n = 0; n < 8; n++)
    await api('POST', '/api/agents', {
      agentId: id(`clerk-${n}`),
      displayName: `Clerk ${n}`,
      description,
      chat: {}
    })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/sessions')
  await page.getByTestId('open-new-session').click()
  const rows = page.getByRole('dialog').locator('label', { has: page.getByRole('radio') })
  await expect(rows).not.toHaveCount(0)
  const boxes = await rows.evaluateAll(labels =>
    labels.map(label => ({
      top: label.getBoundingClientRect().top,
      end: Math.max(...[...label.children].map(child => child.getBoundingClientRect().bottom))
    }))
  )
  for (const [index, { end }] of boxes.entries())
    expect(boxes[index + 1]?.top ?? Infinity).toBeGreaterThanOrEqual(end)
  await expectAccessible(page)
})
