import { AxeBuilder } from '@axe-core/playwright'
import type { ContextView } from '#lib/protocol/context.ts'
import { now } from '#tests/browser/fixtures/states.ts'
import { expect, type Page, type Route, test } from '#tests/browser/test.ts'
import { serveStates } from '#tests/support/serve-states.ts'

test.use({ viewport: { width: 1280, height: 860 } })

let served: Awaited<ReturnType<typeof serveStates>>
test.beforeAll(async () => {
  served = await serveStates()
})
test.afterAll(() => served.stop())

/** A prompt that takes this share of 100,000 tokens, two thirds of it by the tools' results. */
function filled(share: number): ContextView {
  const tokens = Math.round(share * 100_000)
  const toolResults = Math.floor((tokens * 2) / 3)
  const rest = { system: 500, tools: 900, summary: 40, assistant: 3000, outOfBand: 60 }
  const user = tokens - toolResults - Object.values(rest).reduce((sum, count) => sum + count, 0)
  return {
    tokens: tokens - 1440,
    entries: 12,
    breakdown: { ...rest, user, toolResults },
    estimated: tokens,
    corrected: tokens,
    ratio: 1,
    contextTokens: 100_000,
    instructionsTokens: 500,
    shown: []
  }
}

/** The session `both`, whose prompt is as it is told; the requests for it are returned as they were asked, and those for its events,
 * which nobody has answered. */
async function show(page: Page, view: () => ContextView) {
  const asked: string[] = []
  const events: Route[] = []
  await page.route('**/api/**', route => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname.endsWith('/events')) return events.push(route)
    if (!pathname.endsWith('/context'))
      return route.fulfill({ status: 404, json: { error: 'No such thing.', code: 'NOT_FOUND' } })
    asked.push(search)
    return route.fulfill({ json: view() })
  })
  await page.clock.install({ time: now })
  await page.goto(`${served.url}/?state=both`)
  return { asked, events }
}

const meter = (page: Page) => page.getByRole('button', { name: /^Context: / })

test('001-17: the ring in the header is quiet below a half, and says its number, then its words, as the context fills', async ({
  page
}) => {
  let share = 0.12
  await show(page, () => filled(share))
  const expectMeter = async (name: string, text: string, fullness: string) => {
    await expect(meter(page)).toHaveAccessibleName(name)
    await expect(meter(page)).toHaveText(text)
    await expect(meter(page).locator('svg')).toHaveAttribute('data-fullness', fullness)
    return meter(page).evaluate(button => ({
      color: getComputedStyle(button.querySelector('svg') as SVGElement).color,
      form: button.querySelector('path')?.getAttribute('d')
    }))
  }
  const looks = [await expectMeter('Context: 12,000 of 100,000 tokens, 12 %', '', 'fine')]
  share = 0.8
  await page.reload()
  await expectMeter('Context: 80,000 of 100,000 tokens, 80 %', '80 %', 'fine')
  share = 0.81
  await page.reload()
  const nearly = 'Context: 81,000 of 100,000 tokens, 81 %, nearly full'
  looks.push(await expectMeter(nearly, '81 %nearly full', 'warning'))
  share = 0.96
  await page.reload()
  const over = 'Context: 96,000 of 100,000 tokens, 96 %, about to overflow'
  looks.push(await expectMeter(over, '96 %about to overflow', 'danger'))
  // By its form and by its colour.
  expect(new Set(looks.map(({ color }) => color)).size).toBe(3)
  expect(new Set(looks.map(({ form }) => form)).size).toBe(3)
  expect(await meter(page).getAttribute('title')).toContain('Tool results: 64,000 tokens')
})

test('001-17: a click or Enter on the ring opens the Context tab, which tells each kind with its number and share', async ({
  page
}) => {
  const { asked } = await show(page, () => filled(0.6))
  await meter(page).focus()
  await page.keyboard.press('Enter')
  const tab = page.getByRole('complementary', { name: 'Inspector' })
  await expect(tab.getByRole('tab', { name: 'Context' })).toHaveAttribute('aria-selected', 'true')
  await expect(tab).toContainText('60,000 of 100,000 tokens, 60 %')
  await expect(
    tab.getByRole('list', { name: 'What the prompt is made of' }).getByRole('listitem')
  ).toHaveText([
    'Instructions500< 1 %',
    'Tools900< 1 %',
    'Earlier conversation40< 1 %',
    'User15,50015 %',
    'Assistant3,0003 %',
    'Tool results40,00040 %',
    'Out of band60< 1 %'
  ])
  await expect(tab).toContainText('Estimated by its length · 12 entries')
  // The ring asked for the figures alone, and nothing asks again while nothing happens.
  await page.clock.fastForward(600_000)
  // Whatever was asked before this is known once it is answered.
  await page.evaluate(() => fetch('/api/nothing').then(response => response.text()))
  expect(asked).toEqual(['?shown=0', ''])
})

test('001-17: the ring is read again when a turn is over', async ({ page }) => {
  let share = 0.12
  const { asked, events } = await show(page, () => filled(share))
  await expect(meter(page)).toHaveAccessibleName(/, 12 %$/)
  share = 0.85
  await expect.poll(() => events.length).toBeGreaterThan(0)
  const event = { seq: 1_000_000, type: 'status', status: 'idle', turnId: 'turn_01', outcome: 'done' }
  await events[0]?.fulfill({
    contentType: 'text/event-stream',
    body: `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`
  })
  await expect(meter(page)).toHaveAccessibleName(/, 85 %, nearly full$/)
  expect(asked).toEqual(['?shown=0', '?shown=0'])
})

test('001-17: where there is no limit, or the server has nothing to say, there is no ring', async ({
  page
}) => {
  const { contextTokens: _, ...gone } = filled(0.5)
  const { asked } = await show(page, () => gone)
  await expect.poll(() => asked.length).toBe(1)
  await expect(page.locator('[data-face]')).toHaveAttribute('data-face', 'both')
  await expect(meter(page)).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 390])
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 844 } })
      test('001-17: the ring and its tab are accessible at every fullness, and never make the page scroll sideways', async ({
        page
      }) => {
        for (const share of [0.12, 0.87, 1.2]) {
          await page.unrouteAll({ behavior: 'ignoreErrors' })
          await show(page, () => filled(share))
          await expect(meter(page)).toBeVisible()
          const { width: across = 0, height = 0 } = (await meter(page).boundingBox()) ?? {}
          if (width === 390) expect(Math.min(across, height)).toBeGreaterThanOrEqual(44)
          expect.soft((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
          await meter(page).click()
          await expect(page.getByRole('list', { name: 'What the prompt is made of' })).toBeVisible()
          expect.soft((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
        }
      })
    })
