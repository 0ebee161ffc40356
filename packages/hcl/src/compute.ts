import type { HclValue, Operator } from './expression.ts'
import { HclError, type Position } from './hcl-error.ts'
import { kindOf } from './value-kind.ts'

/** An operand. Its value is computed on demand. Errors about it have its position. */
type Operand = { value: () => HclValue; at: Position }

/**
 * Computes one operation of a chain. It does not evaluate the right operand after `false &&` and `true ||`.
 * @throws HclError if an operand has the wrong kind, or if a number is not finite, as after a division by zero
 */
export function compute(left: Operand, operator: Operator, right: Operand): HclValue {
  if (operator === '&&' || operator === '||') {
    const first = bool(left, operator)
    return first === (operator === '||') ? first : bool(right, operator)
  }
  if (operator === '==' || operator === '!=')
    return (comparable(left) === comparable(right)) === (operator === '==')
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

function comparable({ value, at }: Operand): HclValue {
  const found = value()
  if (typeof found !== 'object' || found === null) return found
  throw new HclError(at, `"==" and "!=" compare strings, numbers and bools, not ${kindOf(found)}`)
}

function bool({ value, at }: Operand, operator: Operator): boolean {
  const found = value()
  if (typeof found === 'boolean') return found
  throw new HclError(at, `"${operator}" needs bools, not ${kindOf(found)}`)
}

function number({ value, at }: Operand, operator: Operator): number {
  const found = value()
  if (typeof found === 'number') return found
  throw new HclError(at, `"${operator}" needs numbers, not ${kindOf(found)}`)
}
