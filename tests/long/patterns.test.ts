import { afterAll, expect, test } from 'vitest'
import { patternsWith } from '#lib/features/approvals/patterns.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { evilPatterns, hostileTexts } from '#tests/support/fakes/evil-patterns.ts'

const patterns = patternsWith(200)
afterAll(() => patterns.stop())

test('001-15: each of 200 evil patterns is rejected, or blocks this process for less than 50 ms on hostile text', async () => {
  expect(evilPatterns.length).toBeGreaterThanOrEqual(200)
  let refused = 0
  for (const pattern of evilPatterns) {
    let fault: string | null | undefined
    const readMs = await cpuTimeOf(async () => {
      fault = (await patterns.errorsOf([pattern]))?.[0]
    })
    expect(readMs, pattern).toBeLessThan(50)
    if (fault !== null) refused++
    else
      for (const text of hostileTexts)
        expect(await cpuTimeOf(() => patterns.find([pattern], text)), pattern).toBeLessThan(50)
  }
  expect(refused).toBeGreaterThan(40)
  expect(refused).toBeLessThan(evilPatterns.length - 40)
}, 300_000)
