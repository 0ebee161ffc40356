import { expect, test } from 'vitest'
import { impactWords } from './turn-impact.ts'

test('001-21: removed items are listed as text, and there is no text if nothing is removed', () => {
  expect(impactWords({ later: 0, waiting: 0 })).toBeUndefined()
  expect(impactWords({ later: 1, waiting: 0 })).toBe('This also removes 1 later turn.')
  expect(impactWords({ later: 0, waiting: 2 })).toBe('This also cancels 2 pending requests.')
  expect(impactWords({ later: 3, waiting: 1 })).toBe(
    'This also removes 3 later turns and cancels 1 pending request.'
  )
})
