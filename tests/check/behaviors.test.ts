import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = 'docs/reference/behaviors.md'
const self = 'tests/check/behaviors.test.ts'
const folders = 'lib db app components packages scripts bench examples tests docs'.split(' ')

/** Behaviors that no test cites, and the reason. If a test cites one, remove it from this list. */
const withoutTest = {
  '002b': 'Details of 002-7, 002-11 and 002-13. Their tests cover them.',
  '002d': 'Details of 002-10 and 002-13. Their tests cover them.'
}

const cited = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...folders],
  { encoding: 'utf8' }
)
  .split('\0')
  .filter(file => /\.(?:tsx?|mjs|md|sql|proto|sh|py|css)$/.test(file) && existsSync(file) && file !== self)
  .flatMap(file => numbersIn(readFileSync(file, 'utf8')).map(number => ({ number, file })))

/**
 * Finds behavior numbers. A variant, such as `004-9 B`, has its own anchor. `000b` is hexadecimal in test data, so
 * it is not a number.
 */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/\b(00[0-4][a-d]?-\d+|00[1-4][a-d])\b(?:,? ([A-C])(?=[:,.)]))?/g)].map(
    ([, number = '', variant]) => (variant ? `${number}-${variant.toLowerCase()}` : number)
  )
}

const text = readFileSync(page, 'utf8')
const anchors = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id)
const behaviors = [...text.matchAll(/^<a id="(.+)"><\/a>\n### (\S+) .+\n\n(.+)/gm)].map(
  ([, anchor = '', number = '', start = '']) => ({ anchor, number, start })
)

test('each behavior has the anchor of its number, directly above its heading', () => {
  expect(behaviors.map(({ number }) => number)).toEqual(behaviors.map(({ anchor }) => anchor))
  expect(behaviors).toHaveLength([...text.matchAll(/^### /gm)].length)
  expect(anchors).toEqual([...new Set(anchors)])
})

test('every number that a file cites has an anchor on the page of behaviors', () => {
  expect(cited.filter(({ number }) => !anchors.includes(number))).toEqual([])
})

test('a test cites every behavior that exists, or the list gives a reason', () => {
  const tested = new Set(cited.filter(({ file }) => /\.test\.tsx?$/.test(file)).map(({ number }) => number))
  const untested = behaviors
    .filter(({ number, start }) => !tested.has(number) && !start.startsWith('Not yet: '))
    .map(({ number }) => number)
  expect(untested).toEqual(Object.keys(withoutTest))
})
