import { expect, test } from 'vitest'
import { digestOf } from './digest.ts'

test('equal values have one digest, in any order of their keys', () => {
  expect(digestOf({ a: 1, b: [{ c: 'x', d: null }] })).toBe(digestOf({ b: [{ d: null, c: 'x' }], a: 1 }))
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: 2 }))
})

test('a number that JSON cannot express has the digest of what is stored for it', () => {
  expect(digestOf(JSON.parse('{"n":1e999}'))).toBe(digestOf({ n: null }))
})
