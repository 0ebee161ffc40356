import { expect, test } from 'vitest'
import { jsonLine, oneLine, printable } from './escape.ts'

const esc = '\u001b'

test('untrusted text cannot control the terminal, hide text or change its direction', () => {
  expect(printable(`a${esc}[2Jb\u009b1mc\rd\be\u202ef\u2028g\u007f`)).toBe(
    'a<U+001B>[2Jb<U+009B>1mc<U+000D>d<U+0008>e<U+202E>f<U+2028>g<U+007F>'
  )
})

test('line breaks, tabs, accents and emoji stay as they are', () => {
  const text = 'Línea 1\n\t日本語 👩‍👩‍👧 e\u0301'
  expect(printable(text)).toBe(text)
})

test('a text of several lines becomes one line, and a long one is cut between characters', () => {
  expect(oneLine(' a\n  b\tc ')).toBe('a b c')
  expect(oneLine('👍👍👍👍', 3)).toBe('👍👍…')
  expect(oneLine(`x${esc}[0m`)).toBe('x<U+001B>[0m')
})

test('a JSON line has no control characters, and parses to the same value', () => {
  const value = { text: `a${esc}[2J\u009b\u202e\n\u2029`, list: [1, null] }
  const line = jsonLine(value)
  expect(line).toMatch(/^[\x20-\x7e]*$/)
  expect(JSON.parse(line)).toEqual(value)
})
