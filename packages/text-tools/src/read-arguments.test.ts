import { expect, test } from 'vitest'
import { readArguments } from './read-arguments.ts'

test.each([
  ['plain JSON', ' {"a": 1.0} ', '{"a": 1.0}'],
  ['nothing', ' \n', '{}'],
  ['JSON5', "{a: 'x', // no\n b: [1,],}", '{"a":"x","b":[1]}'],
  ['unquoted text', 'Oslo', '{"input":"Oslo"}'],
  ['quoted text', '"Oslo"', '{"input":"Oslo"}'],
  ['a number', '2026', '{"input":"2026"}'],
  ['a list', '[1]', '{"input":"[1]"}'],
  ['code, which is text', 'process.exit(1)', '{"input":"process.exit(1)"}'],
  ['invalid JSON, which is text', '{"a": ', '{"input":"{\\"a\\":"}']
])('001-14: arguments can be %s', (_, body, input) => expect(readArguments(body)).toBe(input))

test('001-14: up to 1,000 characters of plain text are arguments, unless they contain a tag', () => {
  expect(readArguments('x'.repeat(1000))).toBe(`{"input":"${'x'.repeat(1000)}"}`)
  for (const body of ['x'.repeat(1001), 'so <tool_use name="a">']) expect(readArguments(body)).toBe(body)
})

test('001-14: `__proto__` in the arguments is a normal field, and too deep nesting is rejected', () => {
  const polluting = readArguments('{__proto__: {admin: true}, a: 1}')
  expect(({} as { admin?: true }).admin).toBeUndefined()
  expect(Object.keys(JSON.parse(polluting))).toEqual(['__proto__', 'a'])
  for (const key of ['a', '"a"']) {
    const nested = (levels: number) => `{${key}: ${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(Object.keys(JSON.parse(readArguments(nested(99))))).toEqual(['a'])
    for (const levels of [100, 20_000]) expect(() => JSON.parse(readArguments(nested(levels)))).toThrow()
  }
})

test('001-14: JSON5 is read up to 64,000 characters, and JSON of any length', () => {
  const long = (quote: string, length: number) => `{${quote}a${quote}: ${quote}${'x'.repeat(length)}${quote}}`
  expect(JSON.parse(readArguments(long("'", 60_000)))).toEqual({ a: 'x'.repeat(60_000) })
  expect(readArguments(long("'", 70_000))).toBe(long("'", 70_000))
  expect(readArguments(long('"', 70_000))).toBe(long('"', 70_000))
})
