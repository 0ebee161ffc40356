import type { HclValue, Operator } from './expression.ts'
import { HclError, type Position } from './hcl-error.ts'
import { kindOf } from './value-kind.ts'

/** A side of an operation: what it comes to, where it counts, and its place. */
type Side = { value: () => HclValue; at: Position }

/** One operation of a chain. The right side is asked for only where it counts: after `false &&` and `true ||` it does not. */
export function compute(left: Side, operator: Operator, right: Side): HclValue {
  if (operator === '&&' || operator === '||') {
    const first = bool(left, operator)
    return first === (operator === '||') ? first : bool(right, operator)
  }
  if (operator === '==' || operator === '!=') return (simple(left) === simple(right)) === (operator === '==')
  return calculate(number(left, operator), operator, number(right, operator), right.at)
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
  throw new HclError(at, 'this divides by zero, or the result is too large')
}

function simple({ value, at }: Side): HclValue {
  const found = value()
  if (typeof found !== 'object' || found === null) return found
  throw new HclError(at, `"==" and "!=" compare strings, numbers and bools, not ${kindOf(found)}`)
}

function bool({ value, at }: Side, operator: Operator): boolean {
  const found = value()
  if (typeof found === 'boolean') return found
  throw new HclError(at, `"${operator}" needs bools, not ${kindOf(found)}`)
}

function number({ value, at }: Side, operator: Operator): number {
  const found = value()
  if (typeof found === 'number') return found
  throw new HclError(at, `"${operator}" needs numbers, not ${kindOf(found)}`)
}
