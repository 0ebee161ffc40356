import { cleanText } from './clean-text.ts'

/** More than any value we accept needs, and less than recursive code (ours, zod's, Postgres's) can process. */
export const maxDepth = 100

/**
 * Returns a copy of an untrusted JSON value that is safe to store and merge. Keys named `__proto__` are dropped. All
 * strings, including keys, are well-formed and without NUL. Throws `refuse(problem)` if the value is nested deeper than
 * `maxDepth`, or has a number that JSON cannot write back (`1e999` parses as Infinity).
 */
export function cleanJson(value: unknown, refuse: (problem: string) => Error, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw refuse(`has a number outside ±${Number.MAX_VALUE}`)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw refuse(`is nested more than ${maxDepth} levels deep`)
  if (Array.isArray(value)) return value.map(item => cleanJson(item, refuse, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = cleanText(key)
    if (name !== '__proto__') clean[name] = cleanJson(item, refuse, depth + 1)
  }
  return clean
}
