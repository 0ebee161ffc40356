import { expect, test } from 'vitest'
import { sessionTitle } from './session-title.ts'

test('an untitled session is shown by its ID only if a client chose the ID', () => {
  expect(sessionTitle('Lamp oil', 'order-7')).toBe('Lamp oil')
  expect(sessionTitle('', 'order-7')).toBe('order-7')
  expect(sessionTitle('', 's_0123456789abcdefghij')).toBe('New session')
})
