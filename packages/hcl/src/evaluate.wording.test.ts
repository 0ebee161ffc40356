import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { HclValue } from './expression.ts'
import { functions } from './functions.ts'
import { parseHcl } from './parse.ts'
import { type Scope, scopeWith } from './scope.ts'

const variables = { name: 'Ann', n: 3, list: [10, 20], map: { 'a b': 1, c: { d: true } } }

function evaluateText(text: string, scope: Scope = scopeWith({ variables, functions })): HclValue {
  const [item] = parseHcl(`a = ${text}`).items
  if (item?.kind !== 'attribute') throw new Error('There is no attribute.')
  return evaluate(item.expression, scope)
}

test.each([
  ['1 + "1"', '1:9: "+" needs numbers, not a string'],
  ['1 == list', '1:10: "==" and "!=" compare strings, numbers and bools, not a list'],
  ['1 / 0', '1:9: this divides by zero, or the result is too large'],
  ['1 && true', '1:5: "&&" needs bools, not a number'],
  ['list == list', '1:5: "==" and "!=" compare strings, numbers and bools, not a list'],
  ['1 ? 2 : 3', '1:5: the condition before "?" must be a bool, not a number'],
  ['-"1"', '1:6: "-" needs a number, not a string'],
  [
    'unknown',
    '1:5: unknown name "unknown" (known: "name", "n", "list", "map"): put strings in double quotes'
  ],
  ['map.x', '1:8: unknown key "x" (known: "a b", "c")'],
  ['list[2]', '1:9: there is no item 2: the list has length 2, and indexes start at 0'],
  ['list.length', '1:9: a list has no "length"'],
  ['name.length', '1:9: a string has no "length"'],
  [`"\${map}!"`, '1:8: a map cannot be part of a string'],
  ['exec("ls")', '1:5: unknown function "exec" (known: "lower", "upper", "trimspace")'],
  ['upper(1)', '1:11: upper takes a string, not a number'],
  ['upper("a", "b")', '1:5: upper takes 1 argument (a string), not 2']
])('003-18: the error of %j names its position', (text, message) => {
  expect(() => evaluateText(text)).toThrow(expect.objectContaining({ message }))
})
