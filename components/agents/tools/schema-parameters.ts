/** The types of a parameter that the list can edit. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean'] as const

/** A property of an object's JSON Schema. */
export type Parameter = {
  name: string
  type: (typeof parameterTypes)[number]
  description: string
  isRequired: boolean
}

/**
 * Returns the properties of a JSON Schema. Undefined for a schema that has more than their names, types and descriptions.
 */
export function parametersOf(schema: unknown): Parameter[] | undefined {
  if (!isObject(schema)) return undefined
  const { type, properties = {}, required = [], additionalProperties = false, $schema: _, ...more } = schema
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) return undefined
  if (additionalProperties !== false || Object.keys(more).length > 0) return undefined
  const parameters: Parameter[] = []
  for (const [name, property] of Object.entries(properties)) {
    const { type, description = '', ...rest } = isObject(property) ? property : {}
    const known = parameterTypes.find(candidate => candidate === type)
    if (known === undefined || typeof description !== 'string' || Object.keys(rest).length > 0)
      return undefined
    parameters.push({ name, type: known, description, isRequired: required.includes(name) })
  }
  return required.every(name => parameters.some(parameter => parameter.name === name))
    ? parameters
    : undefined
}

/**
 * Returns the JSON Schema of an object with these properties. Those without a name are left out. If two have the same name,
 * the later one is used. `$schema` and `additionalProperties` of the schema `before` stay.
 */
export function schemaOf(rows: readonly Parameter[], before?: unknown): object {
  const parameters = rows.flatMap(({ name, ...row }) =>
    name.trim() === '' ? [] : { ...row, name: name.trim() }
  )
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const { $schema, additionalProperties } = isObject(before) ? before : {}
  return {
    ...($schema === undefined ? {} : { $schema }),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, type, description }) => [
        name,
        { type, ...(description === '' ? {} : { description }) }
      ])
    ),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
