import { z } from 'zod'
import { type Operation, responseSchema } from '#lib/http/operation.ts'
import { namedShapes } from './named-shapes.ts'

/** A JSON Schema of an object. */
export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Returns a reference to a named shape in the document's components. */
export const referTo = (name: keyof typeof namedShapes) => ({ $ref: refOf(name) })

const refOf = (name: string) => `#/components/schemas/${name}`

/**
 * Converts the schemas of all inputs to JSON Schema. Returns each operation's by its ID, the bodies that differ from
 * their input, and the named shapes that they refer to. Their names end in `Input`, because defaults are optional
 * in an input and certain in an answer.
 */
export function inputSchemas(operations: readonly Operation[]): {
  inputs: Record<string, JsonSchema>
  bodies: Record<string, JsonSchema>
  shapes: Record<string, JsonSchema>
} {
  const registry = z.registry<{ id: string }>()
  for (const [name, shape] of Object.entries(namedShapes)) registry.add(shape, { id: `${name}Input` })
  const inputs = z.object(Object.fromEntries(operations.map(({ id, input }) => [id, input])))
  const bodies = z.object(
    Object.fromEntries(operations.flatMap(({ id, body }) => (body === undefined ? [] : [[id, body]])))
  )
  registry.add(inputs, { id: 'inputs' })
  registry.add(bodies, { id: 'bodies' })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', unrepresentable: 'any', uri: refOf })
  const shapes = withoutIds(schemas)
  const of = (name: string) => shapes[name]?.properties as Record<string, JsonSchema>
  const direct = (schema: JsonSchema) => {
    const name = String(schema.$ref ?? '').replace(refOf(''), '')
    return shapes[name] ?? schema
  }
  const known = { inputs: mapValues(of('inputs'), direct), bodies: mapValues(of('bodies'), direct) }
  return { ...known, shapes: referredIn(known, shapes) }
}

/** Removes what zod adds to the schemas of a registry. */
const withoutIds = (schemas: Record<string, object>): Record<string, JsonSchema> =>
  mapValues(schemas as Record<string, JsonSchema>, ({ $id: _, $schema: __, ...schema }) => schema)

const mapValues = <A, B>(values: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))

/** Returns the shapes that a schema refers to, also through other shapes. */
function referredIn(schema: unknown, shapes: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const found = new Set<string>()
  const search = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      search(shapes[name])
    }
  }
  search(schema)
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => found.has(name)))
}

/**
 * Converts the schemas of all answers to JSON Schema. Returns each operation's by its ID, and the named shapes that
 * they refer to.
 */
export function answerSchemas(operations: readonly Operation[]): {
  answers: Record<string, JsonSchema>
  shapes: Record<string, JsonSchema>
} {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(namedShapes)) registry.add(shape, { id })
  const answers = z.object(
    Object.fromEntries(operations.map(operation => [operation.id, responseSchema(operation)]))
  )
  registry.add(answers, { id: 'answers' })
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: refOf, override })
  const { answers: answerSchema, ...shapes } = schemas
  return {
    answers: answerSchema?.properties as Record<string, JsonSchema>,
    shapes: withoutIds(shapes)
  }
}

/** Answers can gain fields, so objects stay open. Constraints that `format` and `integer` imply are removed. */
function override({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
