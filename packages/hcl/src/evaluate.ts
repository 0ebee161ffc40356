import { compute } from './compute.ts'
import type { Expression, HclValue, Step } from './expression.ts'
import { HclError, shown } from './hcl-error.ts'
import { type Scope, spend, spent } from './scope.ts'
import { isMap, kindOf } from './value-kind.ts'

/**
 * Evaluates an expression (003-18). Unlike HashiCorp's, operators never convert their operands: `1 + "1"` is an error.
 * Templates and map keys do convert numbers and bools to strings.
 *
 * Lookups use only own properties, so `constructor` is an ordinary name.
 * @throws HclError at the first error, also if the scope's budget is exhausted
 */
export function evaluate(expression: Expression, scope: Scope): HclValue {
  switch (expression.kind) {
    case 'literal':
      return spent(expression.value, expression, scope)
    case 'template':
      return evaluateTemplate(expression, scope)
    case 'list':
      spend(1, expression, scope)
      return expression.items.map(item => evaluate(item, scope))
    case 'map':
      spend(1, expression, scope)
      return Object.fromEntries(
        expression.entries.map(({ key, value }) => [asText(key, scope), evaluate(value, scope)])
      )
    case 'variable':
      return spent(variable(expression, scope), expression, scope)
    case 'path': {
      const { of, steps } = expression
      const from = of.kind === 'variable' ? variable(of, scope) : evaluate(of, scope)
      return spent(
        steps.reduce((value, step) => follow(value, step, scope), from),
        expression,
        scope
      )
    }
    case 'call':
      return call(expression, scope)
    case 'unary':
      return negate(expression, scope)
    case 'chain': {
      const { first, rest } = expression
      return rest.reduce(
        (left, { operator, operand }) =>
          compute({ value: () => left, at: first }, operator, {
            value: () => evaluate(operand, scope),
            at: operand
          }),
        evaluate(first, scope)
      )
    }
    case 'conditional': {
      const test = evaluate(expression.test, scope)
      if (typeof test !== 'boolean')
        throw new HclError(expression, `the condition before "?" must be a bool, not ${kindOf(test)}`)
      return evaluate(test ? expression.then : expression.otherwise, scope)
    }
  }
}

function evaluateTemplate(expression: Expression & { kind: 'template' }, scope: Scope): HclValue {
  const { parts } = expression
  // A template that is only one interpolation keeps the kind of its value, as in the HCL spec.
  const [only] = parts
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return evaluate(only, scope)
  const texts = parts.map(part => (typeof part === 'string' ? part : asText(part, scope)))
  return spent(texts.join('').normalize('NFC'), expression, scope)
}

function asText(expression: Expression, scope: Scope): string {
  const value = evaluate(expression, scope)
  if (value === null || typeof value === 'object')
    throw new HclError(expression, `${kindOf(value)} cannot be part of a string`)
  return textOf(value)
}

/** Converts a value to text, as templates do. A whole number has no exponent: 1e21 becomes 1000000000000000000000. */
export function textOf(value: string | number | boolean): string {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value)
}

function variable(expression: Expression & { kind: 'variable' }, { variables }: Scope): HclValue {
  const { name } = expression
  if (Object.hasOwn(variables, name)) return variables[name]!
  throw new HclError(
    expression,
    `unknown name ${shown(name)} (${listed(Object.keys(variables))}): put strings in double quotes`
  )
}

function follow(value: HclValue, step: Step, scope: Scope): HclValue {
  const key = 'name' in step ? step.name : evaluate(step.index, scope)
  if (Array.isArray(value) && typeof key === 'number') {
    const item = value[key]
    if (item !== undefined) return item
    throw new HclError(
      step,
      `there is no item ${key}: the list has length ${value.length}, and indexes start at 0`
    )
  }
  if (!isMap(value) || typeof key !== 'string')
    throw new HclError(
      step,
      `${kindOf(value)} has no ${typeof key === 'string' ? shown(key) : 'item with that index'}`
    )
  if (!Object.hasOwn(value, key))
    throw new HclError(step, `unknown key ${shown(key)} (${listed(Object.keys(value))})`)
  return value[key]!
}

function call(expression: Expression & { kind: 'call' }, scope: Scope): HclValue {
  const { name } = expression
  if (!Object.hasOwn(scope.functions, name))
    throw new HclError(
      expression,
      `unknown function ${shown(name)} (${listed(Object.keys(scope.functions))})`
    )
  const { takes, returns } = scope.functions[name]!
  if (expression.arguments.length !== takes.length)
    throw new HclError(
      expression,
      `${name} takes ${takes.length} ${takes.length === 1 ? 'argument' : 'arguments'} (${takes.join(', ')}), not ${expression.arguments.length}`
    )
  const values = expression.arguments.map((argument, index) => {
    const value = evaluate(argument, scope)
    if (kindOf(value) !== takes[index])
      throw new HclError(argument, `${name} takes ${takes[index]}, not ${kindOf(value)}`)
    return value
  })
  return spent(returned(), expression, scope)

  function returned(): HclValue {
    try {
      return returns(...values)
    } catch (error) {
      throw new HclError(expression, error instanceof Error ? error.message : String(error))
    }
  }
}

function negate({ operator, operand }: Expression & { kind: 'unary' }, scope: Scope): HclValue {
  const value = evaluate(operand, scope)
  if (operator === '-' && typeof value === 'number') return -value
  if (operator === '!' && typeof value === 'boolean') return !value
  throw new HclError(
    operand,
    `"${operator}" needs ${operator === '-' ? 'a number' : 'a bool'}, not ${kindOf(value)}`
  )
}

/** Lists up to ten names for an error message. */
function listed(names: string[]): string {
  if (names.length === 0) return 'none are known'
  return `known: ${names.slice(0, 10).map(shown).join(', ')}${names.length > 10 ? ' and others' : ''}`
}
