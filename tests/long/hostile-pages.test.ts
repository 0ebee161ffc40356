import { expect, test } from 'vitest'
import { htmlText } from '#lib/tools/html-text.ts'
import { cpuTimeOf, longestStretchOf } from '#tests/support/cpu-time.ts'
import { hostilePages } from '#tests/support/fakes/hostile-pages.ts'

test.each(hostilePages())(
  '22 X4: hostile HTML costs time in proportion to its length, at most 50 ms at a time: %s',
  async (_title, html) => {
    let longest = 0
    const all = await cpuTimeOf(async () => {
      longest = await longestStretchOf(() => htmlText(html))
    })
    // Measured: 10–330 ms in all, 3–26 ms at a time. A tree-building reader took from 16 s to over a minute.
    expect(all).toBeLessThan(6_000)
    expect(longest).toBeLessThan(50)
  }
)
