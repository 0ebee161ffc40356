import { expect, test } from 'vitest'
import { htmlText } from '#lib/tools/html-text.ts'
import { cpuTimeOf, longestStretchOf } from '#tests/support/cpu-time.ts'
import { hostilePages } from '#tests/support/fakes/hostile-pages.ts'

test.each(hostilePages())(
  'hostile HTML costs time in proportion to its length, in small portions: %s',
  async (_title, html) => {
    let longest = 0
    const all = await cpuTimeOf(async () => {
      longest = await longestStretchOf(() => htmlText(html))
    })
    // Measured: 20–800 ms in all, 2–110 ms at a time. A tree-building reader took from 16 s to over a minute.
    expect(all).toBeLessThan(6_000)
    expect(longest).toBeLessThan(1_500)
  }
)
