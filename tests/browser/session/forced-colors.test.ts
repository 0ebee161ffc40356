import { expect, type Locator, test } from '#tests/browser/test.ts'
import { showState } from './show-state.ts'

type ColorProperty = 'backgroundColor' | 'borderLeftColor' | 'stroke'

const colorOf = (locator: Locator, property: ColorProperty) =>
  locator.evaluate((element, name) => getComputedStyle(element)[name], property)

for (const colorScheme of ['light', 'dark'] as const)
  test(`with forced ${colorScheme} colors, the rail and the dock are visible, and a wait differs from other events`, async ({
    page,
    statesUrl
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
    await showState(page, statesUrl, 'parked')
    const transcript = page.getByTestId('transcript')
    const ground = await colorOf(page.locator('body'), 'backgroundColor')
    expect(await colorOf(transcript.locator('.bg-rail').first(), 'backgroundColor')).not.toBe(ground)
    const dock = page.locator('#waits')
    await expect(dock).toHaveCSS('border-left-width', '8px')
    expect(await colorOf(dock, 'borderLeftColor')).not.toBe(ground)
    const wait = page.locator('[data-row="call_fetch"] .rail-node')
    expect(await colorOf(wait.locator('.open'), 'stroke')).not.toBe(ground)
    const other = page.locator('[data-row]:not([data-row="call_fetch"]) .rail-node').first()
    expect((await wait.screenshot()).equals(await other.screenshot())).toBe(false)
  })
