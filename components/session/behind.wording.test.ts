import { expect, test } from 'vitest'
import { goesWords } from './behind.ts'

test('001-21: it is said in words, and nothing is said where nothing goes', () => {
  expect(goesWords({ later: 0, waiting: 0 })).toBeUndefined()
  expect(goesWords({ later: 1, waiting: 0 })).toBe('The turn after it goes too.')
  expect(goesWords({ later: 0, waiting: 2 })).toBe('The 2 requests that wait go too.')
  expect(goesWords({ later: 3, waiting: 1 })).toBe('The 3 turns after it and the request that waits go too.')
})
