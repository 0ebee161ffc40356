import { afterAll, expect, test } from 'vitest'
import { patternsWith } from './patterns.ts'

const patterns = patternsWith(200)
afterAll(() => patterns.stop())

/** Noise that has no period, so that no search of it gets by with what it has seen before. */
function noise(letters: string, length: number): string {
  let seed = 1
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return letters[(seed % 9973) % letters.length]
  }).join('')
}

const size = 60_000
const hostile = ['a'.repeat(size), noise('ab', size), noise('ab c.,', size), 'é😀k'.repeat(size / 5)]

/** What hangs a backtracking engine, in several sizes, and what is large or strange for any. */
const evil = [1, 5, 12, 30, 100, 200, 300, 500, 1000].flatMap(n => [
  `(a+)+$`.repeat(Math.min(n, 60)),
  `(a|a?){${n}}b`,
  `(a?){${n}}a{${n}}c`,
  `(.*a){${n}}c`,
  `(a|b)*a(a|b){${n}}x`,
  `[ab]*a[ab]{${n}}\\b!`,
  `(\\w+\\s?){${n}}!`,
  `([\\p{L}]{1,${n}})*z$`,
  `.{${n}}x$`,
  `a.{0,${n}}b.{0,${n}}c!`,
  `((a{1,${n}}){1,${n}})x`,
  `(?:a|ab|abc|b|ba){1,${n}}!`,
  `^(([a-z])+.)+[A-Z]([a-z]){${n}}$`,
  `(x+x+){${n}}y`,
  `(a{${n}}|b{${n}})*c`,
  `\\B.\\b.{${n}}\\B!`,
  `(?=a{${n}})b`,
  `(?<!a{${n}})b`,
  `(a{1,${n}})\\1b`,
  `(?>a{${n}})b`,
  `(a*){${n}}*+b`,
  `${'('.repeat(Math.min(n, 250))}a${')'.repeat(Math.min(n, 250))}`,
  `${'(a*)*'.repeat(Math.min(n, 100))}!`
])

test('001-15: 200 evil patterns on hostile text are refused, or hold this process up for less than 50 ms', async () => {
  expect(evil.length).toBeGreaterThanOrEqual(200)
  let refused = 0
  for (const pattern of evil) {
    let fault: string | null | undefined
    const reads = await computing(async () => {
      fault = (await patterns.faultsOf([pattern]))?.[0]
    })
    expect(reads, pattern).toBeLessThan(50)
    if (fault !== null) refused++
    else
      for (const text of hostile)
        expect(await computing(() => patterns.find([pattern], text)), pattern).toBeLessThan(50)
  }
  expect(refused).toBeGreaterThan(40)
  expect(refused).toBeLessThan(evil.length - 40)
}, 300_000)

/** How long this thread computed for it, in milliseconds: what everything else of the process waited at the most. */
async function computing(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test('001-15: a search that takes too long, or is too large, has no answer, and the next one has', async () => {
  const slow = patternsWith(1)
  try {
    expect(await slow.find(['[ab]*a[ab]{200}x'], noise('ab', size))).toBeUndefined()
  } finally {
    await slow.stop()
  }
  const all = Array.from({ length: 200 }, (_, n) => `[ab]*a[ab]{${n + 100}}x`)
  expect(await patterns.find(all, noise('ab', size))).toBeUndefined()
  expect(await patterns.find(['b', 'A'], 'xa')).toBe(1)
  expect(await patterns.find(['b'], 'xa')).toBeNull()
})

test('001-15: who waits too long behind others has no answer either, and holds nobody up', async () => {
  const text = noise('ab', size)
  const slow = Array.from({ length: 6 }, () => patterns.find(['[ab]*a[ab]{200}x', '[ab]*a[ab]{201}x'], text))
  const last = patterns.find(['a'], 'a')
  expect(await Promise.all(slow)).toEqual(slow.map(() => undefined))
  expect(await last).toBeUndefined()
  expect(await patterns.find(['a'], 'a')).toBe(0)
})

test('001-15: what cannot be searched in linear time is named', async () => {
  const words: [pattern: string, fault: RegExp][] = [
    ['a(?=b)', /^look-ahead \(\(\?=/],
    ['a(?!b)', /^look-ahead/],
    ['(?<=a)b', /^look-behind/],
    ['(?<!a)b', /^look-behind/],
    ['(a)\\1', /^a back-reference \(\\1\)/],
    ['(?<n>a)\\k<n>', /^a back-reference/],
    ['(?>a)', /^an atomic group/],
    ['a++', /^a possessive repetition/],
    ['(a', /missing closing \)/],
    ['a{1001}', /repeat count/],
    ['(a?){500}(b?){500}', /repeats too much/]
  ]
  const faults = await patterns.faultsOf(words.map(([pattern]) => pattern))
  for (const [at, [, fault]] of words.entries()) expect(faults?.[at]).toMatch(fault)
  expect(await patterns.faultsOf(['rm\\s+-rf', '(?i)é{3}', '"url":"https?://[^"]*\\.internal'])).toEqual([
    null,
    null,
    null
  ])
})
