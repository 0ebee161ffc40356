import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const combinations = process.env.WAYSTATION_TEST_LONG
  ? (['light', 'dark'] as const).flatMap(scheme => [390, 1280, 1920].map(width => ({ scheme, width })))
  : ([
      { scheme: 'light', width: 1280 },
      { scheme: 'dark', width: 390 }
    ] as const)

/**
 * axe finds nothing, and nothing scrolls sideways: light and wide, dark and narrow. With `WAYSTATION_TEST_LONG` set, both
 * schemes are checked at three widths.
 */
export async function looksWell(page: Page): Promise<void> {
  for (const { scheme: colorScheme, width } of combinations) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await looksWellNow(page, `${colorScheme}, ${width} px`)
  }
}

/** The same of a page as it is now: for a state that only one size has, such as an open sheet. */
export async function looksWellNow(page: Page, name = 'the page'): Promise<void> {
  // The other mode opens a blank page for each analysis, for frames of other origins. Our pages have none.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(
    violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
    name
  ).toEqual([])
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    `scrolls sideways: ${name}`
  ).toBe(0)
}
