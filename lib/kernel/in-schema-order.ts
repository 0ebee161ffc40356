import { isJsonObject } from '@waystation/protocol/json-object.ts'

/**
 * Returns the arguments with those first that the schema requires, in its order. Postgres sorts the names of `jsonb`
 * by length, but keeps the order of the list `required`.
 */
export function inSchemaOrder(input: unknown, schema: Readonly<Record<string, unknown>> | null): unknown {
  const names = schema?.required
  if (!isJsonObject(input) || !Array.isArray(names)) return input
  const required = names.filter(name => Object.hasOwn(input, name)).map(name => [name, input[name]])
  return { ...Object.fromEntries(required), ...input }
}
