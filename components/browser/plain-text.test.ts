import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('Markdown syntax is removed, and characters inside a word stay', () => {
  expect(plainText('## **Done**: `commit_revision` failed')).toBe('Done: commit_revision failed')
  expect(plainText('_Not_ yet, __really__')).toBe('Not yet, really')
  expect(plainText('_snake_case_ and two__of')).toBe('snake_case and two__of')
  expect(plainText('größe_änderung')).toBe('größe_änderung')
  expect(plainText('** _ **')).toBe('')
})

test('of a table, only the cells stay', () => {
  const words = plainText('Figures:\n| | 4.1 |\n|---|:--|\n| p95 | 18 ms |').split(/\s+/)
  expect(words).toEqual(['Figures:', '4.1', 'p95', '18', 'ms'])
})
