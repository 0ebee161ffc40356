import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, linesBetween } from './lines-between.ts'

const between = (before: string, after: string) =>
  linesBetween(before, after).map(({ sign, text }) => `${sign} ${text}`)

/** Applies a diff to a text. Throws if an old line of the diff is not in the text. */
function applied(before: string, lines: Line[]): string {
  const old = before === '' ? [] : before.split('\n')
  const now: string[] = []
  for (const { sign, text } of lines) {
    if (sign === '+') now.push(text)
    else if (sign === '…') now.push(...old.splice(0, Number.parseInt(text, 10)))
    else {
      expect(old.shift()).toBe(text)
      if (sign === ' ') now.push(text)
    }
  }
  expect(old).toEqual([])
  return now.join('\n')
}

const signed = (lines: Line[], sign: Line['sign']) => lines.filter(line => line.sign === sign).length

test('a diff shows the different lines with their neighbors', () => {
  expect(between('a\nb\nc\nd', 'A\nb\nc\nd\ne')).toEqual(['− a', '+ A', '  b', '  c', '  d', '+ e'])
  expect(between('', 'new')).toEqual(['+ new'])
  expect(between('old', '')).toEqual(['− old'])
  expect(between('a\na', 'a')).toEqual(['  a', '− a'])
})

test('distant equal lines are collapsed into a count', () => {
  const text = (first: string, count: number, last: string) =>
    [first, ...Array.from({ length: count }, (_, at) => `${at}`), last].join('\n')
  expect(between(text('a', 12, 'z'), text('A', 12, 'Z'))).toEqual([
    '− a',
    '+ A',
    '  0',
    '  1',
    '… 8 unchanged lines',
    '  10',
    '  11',
    '− z',
    '+ Z'
  ])
  expect(between(text('a', 5, 'z'), text('A', 5, 'Z'))).toContain('… 1 unchanged line')
  expect(between(text('a', 4, 'y'), text('a', 4, 'z'))[0]).toBe('… 3 unchanged lines')
})

test('applying the diff to one text gives the other', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', '  '), { maxLength: 24 })
    .map(all => all.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applied(before, linesBetween(before, after))).toBe(after)
    }),
    { numRuns: 1000 }
  )
})

test('the diff removes and adds no more lines than the edits that changed the text', () => {
  const edit = fc.record({ text: fc.constantFrom('a', 'b', 'c'), sign: fc.constantFrom(' ', '−', '+') })
  const textOf = (edits: { text: string }[]) => edits.map(({ text }) => text).join('\n')
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 24 }), edits => {
      const [before, after] = [edits.filter(one => one.sign !== '+'), edits.filter(one => one.sign !== '−')]
      const lines = linesBetween(textOf(before), textOf(after))
      for (const sign of ['−', '+'] as const)
        expect(signed(lines, sign)).toBeLessThanOrEqual(edits.filter(one => one.sign === sign).length)
    }),
    { numRuns: 1000 }
  )
})

test('texts with very many differences are shown as removed and added', () => {
  const text = (word: string) => Array.from({ length: 2000 }, (_, at) => `${word} ${at}`).join('\n')
  const lines = linesBetween(text('old'), text('new'))
  expect(applied(text('old'), lines)).toBe(text('new'))
  expect(lines).toHaveLength(4000)
  expect(linesBetween(text('old'), '')).toHaveLength(2000)
})

test('an edit of one line in a very long text is found', () => {
  const text = (word: string) =>
    Array.from({ length: 20_000 }, (_, at) => (at === 9 ? word : `${at}`)).join('\n')
  expect(between(text('old'), text('new'))).toEqual([
    '… 7 unchanged lines',
    '  7',
    '  8',
    '− old',
    '+ new',
    '  10',
    '  11',
    '… 19988 unchanged lines'
  ])
})
