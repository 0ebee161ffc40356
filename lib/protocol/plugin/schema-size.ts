/** The most that one JSON Schema may be: characters of JSON, and objects and lists in it. */
const most = { characters: 64 * 1024, parts: 5_000 }

/**
 * Why a JSON Schema is too large to be looked at; undefined when it is not. It is asked before anything is made of the schema,
 * and takes a time that grows with the schema's length alone.
 */
export function schemaTooLarge(schema: object): string | undefined {
  if (JSON.stringify(schema).length > most.characters) return `is larger than ${most.characters / 1024} KiB`
  return partsIn(schema) > most.parts ? `has more than ${most.parts} objects and lists` : undefined
}

function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let parts = 1
  for (const item of Object.values(value)) parts += partsIn(item)
  return parts
}
