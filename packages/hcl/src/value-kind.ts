import type { HclValue } from './expression.ts'

/** A kind of value, with the article that error messages need. */
export type ValueKind = 'a string' | 'a number' | 'a bool' | 'null' | 'a list' | 'a map'

export function kindOf(value: HclValue): ValueKind {
  if (value === null) return 'null'
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a map'
  return typeof value === 'string' ? 'a string' : typeof value === 'number' ? 'a number' : 'a bool'
}

export function isMap(value: HclValue): value is { [name: string]: HclValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
