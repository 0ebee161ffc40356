/** Limits of one JSON Schema: characters of JSON, and objects and lists in it. */
const limits = { characters: 64 * 1024, parts: 5_000 }

/**
 * Returns why a JSON Schema is too large to process, or undefined if it is not. Call it before you process a schema:
 * its own time is linear in the size of the schema.
 */
export function schemaTooLarge(schema: object): string | undefined {
  if (JSON.stringify(schema).length > limits.characters)
    return `is larger than ${limits.characters / 1024} KiB`
  return partsIn(schema) > limits.parts ? `has more than ${limits.parts} objects and lists` : undefined
}

function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let parts = 1
  for (const item of Object.values(value)) parts += partsIn(item)
  return parts
}
