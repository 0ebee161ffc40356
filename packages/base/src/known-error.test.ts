import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { KnownError, ToolError } from './known-error.ts'

test('instanceof recognizes an expected error by its kind, also across copies of its class', () => {
  class Other extends KnownError {
    static override readonly kind: string = 'ToolError'
  }
  const copy = new Other('Try again.')
  expect(copy instanceof ToolError).toBe(true)
  expect(copy instanceof KnownError).toBe(true)
  expect(copy instanceof ApiError).toBe(false)
  expect(copy).toMatchObject({ name: 'ToolError', message: 'Try again.' })
})

test('a bug is not an expected error', () => {
  for (const bug of [new Error('x'), new TypeError('x'), { message: 'x' }, null, 'x'])
    expect(bug instanceof KnownError).toBe(false)
})
