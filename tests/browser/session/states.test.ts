import { readdirSync, readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { answerUrl, deliveries, now, type StateName, states } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, test } from '#tests/browser/test.ts'
import { serveStates } from '#tests/support/serve-states.ts'

const names = Object.keys(states) as StateName[]
let served: Awaited<ReturnType<typeof serveStates>>
test.beforeAll(async () => {
  served = await serveStates()
})
test.afterAll(() => served.stop())

/** The server as a state has it: a line that stays silent, or none at all. */
async function show(page: Page, name: StateName) {
  await page.route('**/api/**', route => {
    if (states[name].line === 'down') return route.abort()
    if (route.request().url().includes('/events')) return
    if (route.request().url().endsWith('/link')) return route.fulfill({ json: { answerUrl } })
    if (route.request().url().endsWith('/deliveries')) return route.fulfill({ json: { deliveries } })
    return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${served.url}/?state=${name}`)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', name)
  // Its answer is on the page before anybody looks at it.
  if (states[name].snapshot.calls.some(call => call.where === 'external'))
    await expect(page.getByText('Delivered 14:02, no reply yet.')).toBeAttached()
  await page.evaluate(() => document.fonts.ready)
}

for (const theme of ['light', 'dark'] as const)
  for (const width of [1280, 390]) {
    test.describe(`${theme}, ${width} px`, () => {
      test.use({ colorScheme: theme, viewport: { width, height: width === 390 ? 844 : 860 } })
      test('all eight states look as approved, are accessible and never scroll sideways', async ({
        page
      }) => {
        test.slow()
        for (const name of names)
          await test.step(name, async () => {
            await show(page, name)
            const picture = ['states', theme, String(width), `${name}.png`]
            await expect.soft(page).toHaveScreenshot(picture, { maxDiffPixelRatio: 0.01 })
            expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
            expect.soft((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
            await page.unrouteAll({ behavior: 'ignoreErrors' })
          })
      })
    })
  }

test('no colour is used that the table of colours does not have', () => {
  const css = [
    'app/globals.css',
    'components/session/theme.css',
    'components/session/base.css',
    'components/session/prose.css'
  ]
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  const table =
    '#f4f7f8 #0f171c #ffffff #16212a #14212b #e4ebef #52616d #93a4b0 #d3dbe0 #27343e #768895 #6a7d8a #8a4b00 #ffc14d #fff1d6 #2a2312 #2456b0 #8db8ff #b0261c #ff8f85 #1b6a4c #6ccfa4'
  const used = css.match(/#[0-9a-f]{3,8}\b/gi) ?? []
  expect(used.filter(hex => !table.includes(hex.slice(0, 7).toLowerCase()))).toEqual([])
  for (const file of readdirSync('components', { recursive: true, encoding: 'utf8' }))
    if (/(?<!\.test)\.tsx?$/.test(file))
      expect(readFileSync(`components/${file}`, 'utf8'), file).not.toMatch(
        /#[0-9a-f]{6}\b|\b(?:rgba?|hsla?|oklch)\(/i
      )
})
