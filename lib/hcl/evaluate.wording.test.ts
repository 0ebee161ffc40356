import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { HclValue } from './expression.ts'
import { functions } from './functions.ts'
import { parseHcl } from './parse.ts'
import { type Scope, scopeWith } from './scope.ts'

const variables = { name: 'Ann', n: 3, list: [10, 20], map: { 'a b': 1, c: { d: true } } }

function worth(text: string, scope: Scope = scopeWith({ variables, functions })): HclValue {
  const [item] = parseHcl(`a = ${text}`).items
  if (item?.kind !== 'attribute') throw new Error('There is no attribute.')
  return evaluate(item.expression, scope)
}

test.each([
  ['1 + "1"', '1:9: "+" stands between numbers, not a string'],
  ['1 == list', '1:10: "==" and "!=" compare strings, numbers and bools, not a list'],
  ['1 / 0', '1:9: this comes to no number: it divides by zero, or is too large'],
  ['1 && true', '1:5: "&&" stands between bools, not a number'],
  ['list == list', '1:5: "==" and "!=" compare strings, numbers and bools, not a list'],
  ['1 ? 2 : 3', '1:5: before "?" stands a bool, not a number'],
  ['-"1"', '1:6: after "-" stands a number, not a string'],
  [
    'unknown',
    '1:5: unknown name "unknown": known are "name", "n", "list", "map"; a text stands between double quotes'
  ],
  ['map.x', '1:8: there is no "x" here: known are "a b", "c"'],
  ['list[2]', '1:9: there is no item 2: the list has 2, from 0'],
  ['list.length', '1:9: a list has no "length"'],
  ['name.length', '1:9: a string has no "length"'],
  [`"\${map}!"`, '1:8: a map cannot become part of a text'],
  ['exec("ls")', '1:5: unknown function "exec": known are "lower", "upper", "trimspace"'],
  ['upper(1)', '1:11: upper takes a string here, not a number'],
  ['upper("a", "b")', '1:5: upper takes 1 of (a string), not 2']
])('003-18: %j is refused at its place', (text, message) => {
  expect(() => worth(text)).toThrow(expect.objectContaining({ message }))
})
