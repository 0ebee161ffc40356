import type { HclValue } from './expression.ts'
import { HclError, type Position } from './hcl-error.ts'
import { isMap, type ValueKind } from './value-kind.ts'

/**
 * A function that expressions can call. `takes` is the kind of each argument, which `evaluate` checks before the call.
 *
 * A result must not be larger than a small multiple of the arguments, because it is counted only after the call. An
 * error that it throws is reported at the call.
 */
export type HclFunction = { takes: ValueKind[]; returns: (...given: HclValue[]) => HclValue }

/**
 * The variables and functions that expressions can use. `budget.left` is the size that their values can still have. A
 * value costs 1, plus the UTF-16 units of its strings and map keys. Intermediate values cost the same.
 */
export type Scope = {
  variables: Record<string, HclValue>
  functions: Record<string, HclFunction>
  budget: { left: number }
}

/** The budget of a text. It limits all its expressions together (docs/hcl.md, Limits). */
const maxSize = 4 * 1024 * 1024

/** Creates a scope with a new budget of 4 Mi. Use one scope for each text, or copies of it, which share its budget. */
export function scopeWith(given: Partial<Omit<Scope, 'budget'>> = {}): Scope {
  return { variables: {}, functions: {}, budget: { left: maxSize }, ...given }
}

/**
 * Deducts the size of a value from the budget, and returns the value.
 * @throws HclError if the budget is exhausted
 */
export function spent(value: HclValue, at: Position, scope: Scope): HclValue {
  spend(1, at, scope)
  if (typeof value === 'string') spend(value.length, at, scope)
  else if (Array.isArray(value)) for (const item of value) spent(item, at, scope)
  else if (isMap(value))
    for (const [name, item] of Object.entries(value)) {
      spend(name.length, at, scope)
      spent(item, at, scope)
    }
  return value
}

export function spend(cost: number, at: Position, scope: Scope): void {
  scope.budget.left -= cost
  if (scope.budget.left < 0)
    throw new HclError(at, 'the values of this text are too large: at most 4 Mi characters are permitted')
}
