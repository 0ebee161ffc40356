import { expect, test } from 'vitest'
import { amount, amountOrNone, json, lines, names, optional, words } from './text-format.ts'

const formats = { amount, amountOrNone, json, lines, names, optional, words }

test.for<[keyof typeof formats, text: string, value: unknown]>([
  ['amount', '2.5', 2.5],
  ['amount', '-5', -5],
  ['amount', '1,200,000', 1_200_000],
  ['amount', '', undefined],
  ['amountOrNone', '', null],
  ['names', 'a, b', ['a', 'b']],
  ['names', '', undefined],
  ['words', 'repo user', ['repo', 'user']],
  ['lines', 'a b\nc', ['a b', 'c']],
  ['optional', 'a', 'a'],
  ['optional', '', undefined],
  ['json', '[\n  1\n]', [1]],
  ['json', '', undefined]
])('%s converts %j to a value and back', ([name, text, value]) => {
  expect(formats[name].parse(text)).toEqual(value)
  expect(formats[name].format(value)).toBe(text)
})

test.for<[keyof typeof formats, text: string, value: unknown]>([
  ['amount', ' $2,50 ', 2.5],
  ['amount', '120000', 120_000],
  ['amount', '1,200.5', 1200.5],
  ['names', ' a,, b ', ['a', 'b']],
  ['words', 'repo,  read:user', ['repo', 'read:user']],
  ['lines', 'a\n\n b', ['a', ' b']]
])('%s accepts %j', ([name, text, value]) => {
  expect(formats[name].parse(text)).toEqual(value)
})

test('a text that is not a value stays as typed, and the schema can reject it', () => {
  expect(amount.parse('a month')).toBe('a month')
  expect(json.parse('[{')).toBe('[{')
  expect(json.format('[{')).toBe('[{')
})
