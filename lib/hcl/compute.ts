import type { HclValue, Operator } from './expression.ts'
import { HclError, type Position } from './hcl-error.ts'
import { kindOf } from './value-kind.ts'

/** One operation of a chain. `right` is asked for only where it counts: after `false &&` and `true ||` it does not. */
export function compute(left: HclValue, operator: Operator, right: () => HclValue, at: Position): HclValue {
  if (operator === '&&' || operator === '||') {
    const isSettled = bool(left, operator, at) === (operator === '||')
    return isSettled ? left : bool(right(), operator, at)
  }
  if (operator === '==' || operator === '!=') return isSame(left, right(), at) === (operator === '==')
  return calculate(number(left, operator, at), operator, number(right(), operator, at), at)
}

function calculate(
  a: number,
  operator: Exclude<Operator, '&&' | '||' | '==' | '!='>,
  b: number,
  at: Position
) {
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    case '+':
      return finite(a + b, at)
    case '-':
      return finite(a - b, at)
    case '*':
      return finite(a * b, at)
    case '/':
      return finite(a / b, at)
    case '%':
      return finite(a % b, at)
  }
}

function finite(value: number, at: Position): number {
  if (Number.isFinite(value)) return value
  throw new HclError(at, 'this comes to no number: it divides by zero, or is too large')
}

function isSame(a: HclValue, b: HclValue, at: Position): boolean {
  for (const value of [a, b])
    if (typeof value === 'object' && value !== null)
      throw new HclError(at, `"==" and "!=" compare strings, numbers and bools, not ${kindOf(value)}`)
  return a === b
}

function bool(value: HclValue, operator: Operator, at: Position): boolean {
  if (typeof value === 'boolean') return value
  throw new HclError(at, `"${operator}" stands between bools, not ${kindOf(value)}`)
}

function number(value: HclValue, operator: Operator, at: Position): number {
  if (typeof value === 'number') return value
  throw new HclError(at, `"${operator}" stands between numbers, not ${kindOf(value)}`)
}
