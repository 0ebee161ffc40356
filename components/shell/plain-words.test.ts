import { expect, test } from 'vitest'
import { plainWords } from './plain-words.ts'

test('the marks of Markdown are left out, and what is inside a word stays', () => {
  expect(plainWords('## **Done**: `commit_revision` failed')).toBe('Done: commit_revision failed')
  expect(plainWords('_Not_ yet, __really__')).toBe('Not yet, really')
  expect(plainWords('_snake_case_ and two__of')).toBe('snake_case and two__of')
  expect(plainWords('größe_änderung')).toBe('größe_änderung')
  expect(plainWords('** _ **')).toBe('')
})
