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
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
      `${colorScheme}, ${width} px`
    ).toEqual([])
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `scrolls sideways: ${colorScheme}, ${width} px`
    ).toBe(0)
  }
}
