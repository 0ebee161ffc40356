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

/** Converts the schema of an input to JSON Schema. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as JsonSchema
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
    shapes: Object.fromEntries(
      Object.entries(shapes).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema as JsonSchema])
    )
  }
}

/** Answers can gain fields, so objects stay open. Constraints that `format` and `integer` imply are removed. */
function override({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
