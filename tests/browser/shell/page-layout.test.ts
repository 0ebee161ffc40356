import { expect, test } from '#tests/browser/test.ts'
import { expectLayout, widths } from '#tests/support/browser/expect-layout.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startSession } from './start-session.ts'

const paths = [
  '/sessions',
  '/waiting',
  '/agents',
  '/agents/new',
  '/agents/guide',
  '/agents/guide?section=tools',
  '/agents/guide?section=tests',
  '/catalogue',
  '/connections',
  '/connections/mcp',
  '/wikis',
  '/activity',
  '/activity/deliveries',
  '/plugins',
  '/settings/profile',
  '/settings/models',
  '/settings/tool-rules',
  '/settings/tools',
  '/settings/audit'
]

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme })
    for (const path of paths)
      test(`${path} keeps the structure of a page on phones, laptops and large screens`, async ({ page }) => {
        await page.goto(path)
        await expect(page.locator('h1').first()).toBeAttached()
        for (const width of widths) {
          await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
          await expectLayout(page, `${width} px`)
        }
      })

    test('a session with a pending request keeps its structure', async ({ page, api, id }) => {
      const sessionId = id('layout')
      await startSession(api, sessionId)
      await api('POST', `/api/sessions/${sessionId}/messages`, { text: demo.askToChoose('tea', 'coffee') })
      await page.goto(`/sessions/${sessionId}`)
      await expect(page.locator('#waits')).toBeVisible()
      for (const width of widths) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
        await expectLayout(page, `${width} px`)
      }
    })
  })
