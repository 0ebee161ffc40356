export type Schema = {
  type?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  examples?: readonly unknown[]
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  minLength?: number
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** An example of each format that a text can have. */
const formats: Readonly<Record<string, string>> = {
  date: '2027-03-12',
  'date-time': '2027-03-12T09:00:00Z',
  time: '09:00:00Z',
  email: 'ana@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000'
}

/**
 * Returns an example of a JSON Schema: its own example or default, or else a value of its type. An object has
 * its required properties, and a text is the name of its property.
 */
export function exampleOf(schema: Schema, name = 'text'): unknown {
  const given = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (choice !== undefined) return exampleOf(choice, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type ?? (schema.properties === undefined ? 'string' : 'object')) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(key => [key, exampleOf(schema.properties?.[key] ?? {}, key)])
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}, name))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'integer':
    case 'number': {
      const least = schema.minimum ?? Math.floor((schema.exclusiveMinimum ?? 0) + 1)
      return Math.min(least, schema.maximum ?? least)
    }
    default:
      return formats[schema.format ?? ''] ?? name.padEnd(schema.minLength ?? 0, '.')
  }
}
