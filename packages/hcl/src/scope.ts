import type { HclValue } from './expression.ts'
import { HclError, type Position } from './hcl-error.ts'
import { isMap, type ValueKind } from './value-kind.ts'

/** A function that texts may call: it is given values of these kinds, and answers with no more than a small multiple of them. */
export type HclFunction = { takes: ValueKind[]; returns: (...given: HclValue[]) => HclValue }

/** What names mean, and how much may still be made of them: each character and each value of a result counts. */
export type Scope = {
  variables: Record<string, HclValue>
  functions: Record<string, HclFunction>
  budget: { left: number }
}

/** What all expressions of one text together may come to. */
const mostMade = 4 * 1024 * 1024

export function scopeWith(given: Partial<Omit<Scope, 'budget'>> = {}): Scope {
  return { variables: {}, functions: {}, budget: { left: mostMade }, ...given }
}

/** Counts a value that goes into a result. */
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
