import { z } from 'zod'
import { type Operation, sentAnswer } from '#lib/http/operation.ts'
import { namedShapes } from './named-shapes.ts'

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Where the document keeps a shape that has a name. */
export const referTo = (name: keyof typeof namedShapes) => ({ $ref: refOf(name) })

const refOf = (name: string) => `#/components/schemas/${name}`

/** What may be sent, as JSON Schema. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as JsonSchema
}

/** What is answered, as JSON Schema: each operation's by its ID, and the named shapes that they refer to. */
export function answerSchemas(operations: readonly Operation[]): {
  answers: Record<string, JsonSchema>
  shapes: Record<string, JsonSchema>
} {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(namedShapes)) registry.add(shape, { id })
  const answers = z.object(Object.fromEntries(operations.map(one => [one.id, sentAnswer(one)])))
  registry.add(answers, { id: 'answers' })
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: refOf, override })
  const { answers: all, ...shapes } = schemas
  return {
    answers: all?.properties as Record<string, JsonSchema>,
    shapes: Object.fromEntries(
      Object.entries(shapes).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema as JsonSchema])
    )
  }
}

/** An answer may grow, so no object is closed; and what `format` and `integer` say already is not said twice. */
function override({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.format !== undefined) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
