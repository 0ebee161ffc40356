import { expect, test } from 'vitest'
import { kerningOf } from './long-words.ts'

test('only a text with a very long word has no kerning', () => {
  expect(kerningOf('a'.repeat(60_000))).toBeDefined()
  expect(kerningOf(`Look:\n${'a'.repeat(2_001)} end`)).toBeDefined()
  expect(kerningOf('A word. '.repeat(10_000))).toBeUndefined()
  expect(kerningOf('')).toBeUndefined()
})
