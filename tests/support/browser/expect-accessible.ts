import { expect, type Page } from '@playwright/test'
import axe, { type AxeResults } from 'axe-core'

const combinations = process.env.WAYSTATION_TEST_LONG
  ? (['light', 'dark'] as const).flatMap(scheme => [390, 1280, 1920].map(width => ({ scheme, width })))
  : ([
      { scheme: 'light', width: 1280 },
      { scheme: 'dark', width: 390 }
    ] as const)

/**
 * Expects no axe violations and no horizontal scrolling, in two combinations: light and wide, dark and narrow. With
 * `WAYSTATION_TEST_LONG` set, checks both color schemes at three widths.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { scheme: colorScheme, width } of combinations) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await expectAccessibleNow(page, `${colorScheme}, ${width} px`)
  }
}

/**
 * Checks the page in its current state, for states that exist at only one size, such as an open side panel. Tries
 * again, because axe can see a page that a refresh changes at that moment.
 */
export async function expectAccessibleNow(page: Page, name = 'the page'): Promise<void> {
  const violations = async () => (await analyze(page)).violations.map(({ id, nodes }) => [id, nodes[0]?.html])
  await expect.poll(violations, { message: name, timeout: 10_000 }).toEqual([])
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    `scrolls sideways: ${name}`
  ).toBe(0)
}

/**
 * Runs axe on a page and its frames. Injects its script once per document, because that takes as long as the
 * analysis.
 */
async function analyze(page: Page): Promise<Pick<AxeResults, 'violations'>> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(`${axe.source}; undefined`)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return { violations }
  })
}
