import { expect, test } from 'vitest'
import { fieldWords } from './field-words.ts'

test('the errors of fields name their fields, except for an error of the whole value', () => {
  const words = fieldWords({ 'to.city': 'unknown', '': 'not an object', tags: 'Too many.' })
  expect(words).toBe('to.city: unknown. not an object. tags: Too many.')
  expect(fieldWords(undefined)).toBe('')
})
