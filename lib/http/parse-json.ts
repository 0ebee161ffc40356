import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { cleanText } from './clean-text.ts'

/** Deeper than anything we take, and far from what a recursive walk (ours, zod's, Postgres's) could not stand. */
const maxDepth = 100

/**
 * JSON from a stranger, made safe to store and to merge: keys named `__proto__` are dropped, every string (keys too)
 * is well-formed and free of NUL. Not JSON: `400 MALFORMED_JSON`. Nested too deep: `422 INVALID_INPUT`.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('MALFORMED_JSON', 'The body is not valid JSON.')
  }
  return cleanValue(value, 0)
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw invalid(`The body is nested more than ${maxDepth} levels deep.`)
  if (Array.isArray(value)) return value.map(item => cleanValue(item, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = cleanText(key)
    if (name !== '__proto__') clean[name] = cleanValue(item, depth + 1)
  }
  return clean
}
