/** Limits of one JSON Schema: characters of JSON, and objects and lists in it. */
const limits = { characters: 64 * 1024, parts: 5_000 }

/**
 * Returns why a JSON Schema cannot be stored or is too large to process, or undefined if neither is the case. Call it
 * before you process a schema: its own time is linear in the size of the schema.
 */
export function schemaProblem(schema: object): string | undefined {
  if (JSON.stringify(schema).length > limits.characters)
    return `is larger than ${limits.characters / 1024} KiB`
  const { parts, isStorable } = count(schema)
  if (parts > limits.parts) return `has more than ${limits.parts} objects and lists`
  // JSON would store null instead, and that is another schema. `1e999` parses as Infinity.
  return isStorable ? undefined : `has a number outside ±${Number.MAX_VALUE}`
}

/** Counts objects and lists, and looks for numbers that JSON cannot express. */
function count(value: unknown): { parts: number; isStorable: boolean } {
  if (typeof value !== 'object' || value === null)
    return { parts: 0, isStorable: typeof value !== 'number' || Number.isFinite(value) }
  const total = { parts: 1, isStorable: true }
  for (const item of Object.values(value)) {
    const { parts, isStorable } = count(item)
    total.parts += parts
    total.isStorable &&= isStorable
  }
  return total
}
