import { expect, test } from 'vitest'
import { htmlText } from '#lib/tools/html-text.ts'
import { cpuTimeOf, longestStretchOf } from '#tests/support/cpu-time.ts'
import { hostilePages } from '#tests/support/fakes/hostile-pages.ts'

test.each(hostilePages())(
  '22 X4: hostile HTML takes time in proportion to its length, at most 50 ms at a time: %s',
  async (_title, html) => {
    let longest = 0
    const total = await cpuTimeOf(async () => {
      longest = await longestStretchOf(() => htmlText(html))
    })
    // Measured: 10–330 ms in total, 3–26 ms at a time. A parser that builds a tree took 16 s to over a minute.
    expect(total).toBeLessThan(6_000)
    expect(longest).toBeLessThan(50)
  }
)
