import { expect, test } from 'vitest'
import { sessionSearch } from './session-path.ts'

test('the URL of a place in a session has only the values that are set', () => {
  expect(sessionSearch({ inspect: 'trace', seq: undefined, wide: true } as object)).toBe(
    '?inspect=trace&wide=true'
  )
  expect(sessionSearch({ call: undefined } as object)).toBe('')
})
