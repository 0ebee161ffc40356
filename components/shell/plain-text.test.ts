import { expect, test } from 'vitest'
import { plainWords } from './plain-text.ts'

test('Markdown syntax is removed, and characters inside a word stay', () => {
  expect(plainWords('## **Done**: `commit_revision` failed')).toBe('Done: commit_revision failed')
  expect(plainWords('_Not_ yet, __really__')).toBe('Not yet, really')
  expect(plainWords('_snake_case_ and two__of')).toBe('snake_case and two__of')
  expect(plainWords('größe_änderung')).toBe('größe_änderung')
  expect(plainWords('** _ **')).toBe('')
})
