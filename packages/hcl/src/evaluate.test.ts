import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { HclValue } from './expression.ts'
import { functions } from './functions.ts'
import { HclError } from './hcl-error.ts'
import { parseHcl } from './parse.ts'
import { type Scope, scopeWith } from './scope.ts'

const variables = { name: 'Ann', n: 3, list: [10, 20], map: { 'a b': 1, c: { d: true } } }

function evaluateText(text: string, scope: Scope = scopeWith({ variables, functions })): HclValue {
  const [item] = parseHcl(`a = ${text}`).items
  if (item?.kind !== 'attribute') throw new Error('There is no attribute.')
  return evaluate(item.expression, scope)
}

test.each<[string, HclValue]>([
  ['1 + 2 * 3 - 4 / 2 % 3', 5],
  ['(1 + 2) * -n', -9],
  ['1 + 2 < 2 * 2 == true', true],
  ['10 - 2 - 3', 5],
  ['!true || 1 < 2 && 2 >= 2', true],
  ['"a" == "a" && n != 4 && null == null', true],
  ['n > 2 ? "many" : unknown', 'many'],
  ['false && unknown', false],
  ['list[n - 2]', 20],
  ['map.c.d', true],
  ['map["a b"]', 1],
  [`{ (name) = [n], "x\${n}" = { y = null } }`, { Ann: [3], x3: { y: null } }],
  [`"\${list}"`, [10, 20]],
  [`"\${name}: \${n + 0.5}, \${true}"`, 'Ann: 3.5, true'],
  [`"n: \${1e21}"`, 'n: 1000000000000000000000'],
  [`<<-EOT\n    \${name}\n      and\n    more\nEOT\n`, 'Ann\n  and\nmore\n'],
  [`upper(trimspace(" \${name} "))`, 'ANN'],
  ['"e\u0301" == "é"', true]
])('003-18: %j evaluates to its value', (text, value) => {
  expect(evaluateText(text)).toEqual(value)
})

test('003-18: names that every object has, such as "constructor", are ordinary names and reach no prototype', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    expect(() => evaluateText(name)).toThrow(HclError)
    expect(() => evaluateText(`map.${name}`)).toThrow(HclError)
    expect(() => evaluateText(`map["${name}"]`)).toThrow(HclError)
    expect(() => evaluateText(`${name}()`)).toThrow(HclError)
    const made = evaluateText(`{ ${name} = { polluted = true } }`)
    expect(Object.keys(made as object)).toEqual([name])
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  }
  expect(({} as { polluted?: true }).polluted).toBeUndefined()
})

test('003-18: all values of a text together are limited to 4 Mi characters', () => {
  const scope = scopeWith({ variables: { big: 'x'.repeat(1024 * 1024), small: 'x' } })
  expect(evaluateText(`"\${big}\${small}"`, scope)).toHaveLength(1024 * 1024 + 1)
  expect(() => evaluateText('[big, big, big]', scope)).toThrow(
    expect.objectContaining({ line: 1, column: 11 })
  )
  expect(scope.budget.left).toBeLessThan(0)
  expect(() => evaluateText('small', scope)).toThrow(HclError)
})

/** A generated expression, and its value as computed by JavaScript. */
const { sum } = fc.letrec<{ sum: [string, number] }>(tie => ({
  sum: fc.oneof(
    { maxDepth: 5 },
    fc.nat(99).map((n): [string, number] => [String(n), n]),
    fc
      .tuple(tie('sum'), fc.constantFrom('+', '-', '*'), tie('sum'))
      .map(([[a, x], operator, [b, y]]): [string, number] => [
        `(${a} ${operator}${b})`,
        operator === '+' ? x + y : operator === '-' ? x - y : x * y
      ]),
    tie('sum').map(([a, x]): [string, number] => [`"\${ ${a} }"`, x]),
    fc
      .tuple(tie('sum'), tie('sum'))
      .map(([[a, x], [b, y]]): [string, number] => [
        `(${a} < ${b} ? [${a}][0] : {k = ${b}}.k)`,
        x < y ? x : y
      ])
  )
}))

test('003-18: nested arithmetic, conditions, indexes and templates evaluate correctly', () => {
  fc.assert(
    fc.property(sum, ([text, value]) => {
      expect(evaluateText(text)).toBe(value)
    }),
    { numRuns: 300 }
  )
})
