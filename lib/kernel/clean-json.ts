import { cleanText } from './clean-text.ts'

/** Deeper than anything we take, and far from what a recursive walk (ours, zod's, Postgres's) could not stand. */
export const maxDepth = 100

/**
 * A parsed JSON value of a stranger, made safe to store and to merge: keys named `__proto__` are dropped, every string (keys
 * too) is well-formed and free of NUL. Throws what `tooDeep` makes for one that is nested deeper than `maxDepth`.
 */
export function cleanJson(value: unknown, tooDeep: () => Error, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw tooDeep()
  if (Array.isArray(value)) return value.map(item => cleanJson(item, tooDeep, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = cleanText(key)
    if (name !== '__proto__') clean[name] = cleanJson(item, tooDeep, depth + 1)
  }
  return clean
}
