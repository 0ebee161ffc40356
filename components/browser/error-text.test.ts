import { WaystationError } from '@waystation/client'
import { expect, test } from 'vitest'
import { changeError, readError, unreachable } from './error-text.ts'

test('a response of the server is shown with its reason, also if a retry can succeed', () => {
  const error = new WaystationError(503, { error: 'The plugin is unavailable.', code: 'UNAVAILABLE' })
  expect(changeError({ error })).toBe(error.message)
  expect(readError({ error })).toBe(error.message)
})

test('a missing response is shown as an unreachable server', () => {
  const error = new WaystationError(0, { error: 'The server did not respond.', code: 'UNREACHABLE' })
  expect(changeError({ error })).toContain(unreachable)
  expect(readError({ error })).toContain(unreachable)
})
