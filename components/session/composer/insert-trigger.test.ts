import { expect, test } from 'vitest'
import { triggerOf } from './insert-trigger.ts'

test.each([
  ['/', 1, { mark: '/', query: '', start: 0 }],
  ['/web', 4, { mark: '/', query: 'web', start: 0 }],
  ['see @Pa', 7, { mark: '@', query: 'Pa', start: 4 }],
  ['@', 1, { mark: '@', query: '', start: 0 }],
  ['/web-fetch now', 14, undefined],
  ['either/or', 9, undefined],
  ['a@b.example', 11, undefined],
  ['@Page then more', 15, undefined],
  ['no mark', 7, undefined]
])('the mark before the caret opens the list: %s', (text, caret, found) => {
  expect(triggerOf(text, caret)).toEqual(found)
})
