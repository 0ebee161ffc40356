import { startSession, typeMessage } from '#tests/browser/session/start-session.ts'
import { expect, test } from '#tests/browser/test.ts'

test('000-18, 22 B6: ten tabs of one browser load, send and stay live over HTTP/1.1', async ({
  context,
  api,
  id
}) => {
  const tabs = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const page = await context.newPage()
      await startSession(page, api, id(`tab-${n % 5}`))
      return page
    })
  )
  const protocol = () => performance.getEntriesByType('navigation')[0]?.toJSON().nextHopProtocol
  expect(await tabs[0]?.evaluate(protocol)).toBe('http/1.1')
  // Two tabs show each session and share its draft, so only one of them sends. Both see the reply.
  for (const first of [0, 5]) {
    await Promise.all(
      tabs.slice(first, first + 5).map((page, n) => typeMessage(page, `say From tab ${first + n}.`))
    )
    for (const [n, page] of tabs.entries())
      await expect(
        page.getByRole('paragraph').filter({ hasText: new RegExp(`^From tab ${first + (n % 5)}`) })
      ).toBeVisible()
  }
})
