import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test('JSON is parsed', () => {
  expect(parseJson(' {"a": [1]}\n')).toEqual({ ok: true, value: { a: [1] } })
})

test.each([
  ['a wrong character', '{\n  "a": 1,\n  b\n}', 3],
  ['a missing comma', '[\n1\n2\n]', 3],
  ['a text that ends too early', '[\n{"a": 1},\n', 2],
  ['an empty text', '', 1]
])('the error of %s names its line', (_, text, line) => {
  expect(parseJson(text)).toEqual({ ok: false, line })
})
