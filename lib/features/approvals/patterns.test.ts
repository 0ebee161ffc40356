import { afterAll, expect, onTestFinished, test } from 'vitest'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { evilPatterns, hostileTexts, noise, size } from '#tests/support/fakes/evil-patterns.ts'
import { patternsWith } from './patterns.ts'

const patterns = patternsWith(200)
afterAll(() => patterns.stop())

// `tests/long/patterns.test.ts` searches with all of them.
const samplePatterns = evilPatterns.filter((_, n) => n % 10 === 0)

test.each(samplePatterns)(
  '001-15: an evil pattern is rejected or costs under 50 ms of CPU time: %s',
  async pattern => {
    let error: string | null | undefined
    const check = async () => {
      error = (await patterns.errorsOf([pattern]))?.[0]
    }
    // Tries again, because the first run of code takes longer.
    await expect.poll(() => cpuTimeOf(check)).toBeLessThan(50)
    if (error !== null) return
    for (const text of hostileTexts)
      await expect.poll(() => cpuTimeOf(() => patterns.find([pattern], text))).toBeLessThan(50)
  }
)

test('001-15: a search that is too slow or too large has no answer, and later searches still work', async () => {
  const slow = patternsWith(1)
  try {
    expect(await slow.find(['[ab]*a[ab]{200}x'], noise('ab', size))).toBeUndefined()
  } finally {
    await slow.stop()
  }
  const all = Array.from({ length: 200 }, (_, n) => `[ab]*a[ab]{${n + 100}}x`)
  expect(await patterns.find(all, noise('ab', size))).toBeUndefined()
  await expect.poll(() => patterns.find(['b', 'A'], 'xa')).toBe(1)
  await expect.poll(() => patterns.find(['b'], 'xa')).toBeNull()
})

test('001-15: a search that waits too long in the queue has no answer, and later searches still work', async () => {
  const text = noise('ab', size)
  const slow = Array.from({ length: 6 }, () => patterns.find(['[ab]*a[ab]{200}x', '[ab]*a[ab]{201}x'], text))
  const last = patterns.find(['a'], 'a')
  expect(await Promise.all(slow)).toEqual(slow.map(() => undefined))
  expect(await last).toBeUndefined()
  await expect.poll(() => patterns.find(['a'], 'a')).toBe(0)
})

test('001-15: many searches in one lane do not delay another lane', async () => {
  const unlimited = patternsWith()
  onTestFinished(unlimited.stop)
  const text = noise('ab', size)
  const order: string[] = []
  const search = async (lane: string, pattern: string, target: string) => {
    await unlimited.find([pattern], target, lane)
    order.push(lane)
  }
  const greedy = [1, 2, 3].map(() => search('greedy', '[ab]*a[ab]{200}x', text))
  await search('other', 'a', 'a')
  await Promise.all(greedy)
  expect(order.at(-1)).toBe('greedy')
})

test('001-15: a pattern that cannot be searched in linear time is rejected by name of the construct', async () => {
  const expectedErrors: [pattern: string, error: RegExp][] = [
    ['a(?=b)', /^look-ahead \(\(\?=/],
    ['a(?!b)', /^look-ahead/],
    ['(?<=a)b', /^look-behind/],
    ['(?<!a)b', /^look-behind/],
    ['(a)\\1', /^a back-reference \(\\1\)/],
    ['(?<n>a)\\k<n>', /^a back-reference/],
    ['(?>a)', /^an atomic group/],
    ['a++', /^a possessive quantifier/],
    ['(a', /missing closing \): \(a$/],
    ['a{1001}', /repeat count/],
    ['(a?){500}(b?){500}', /repeats too much/]
  ]
  const errors = await patterns.errorsOf(expectedErrors.map(([pattern]) => pattern))
  for (const [index, [, error]] of expectedErrors.entries()) expect(errors?.[index]).toMatch(error)
  expect(await patterns.errorsOf(['rm\\s+-rf', '(?i)é{3}', '"url":"https?://[^"]*\\.internal'])).toEqual([
    null,
    null,
    null
  ])
})
