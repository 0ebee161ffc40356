import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

type JsonSchema = Record<string, unknown>

/** The response to `GET`: the fields that an agent's configuration needs, except for the address. */
export type Definition = {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  /** The approval that the author suggests. The agent's configuration decides. */
  approval?: 'ask' | 'auto'
}

/** The fields of a tool that its definition comes from. */
export type Definable = {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: StandardSchemaV1
  outputSchema?: StandardSchemaV1 | undefined
  approval?: 'ask' | 'auto' | undefined
}

/** Returns the definition of a tool. Throws if a schema has no JSON Schema. */
export function definitionOf(tool: Definable): Definition {
  const { name, title, description = '', inputSchema, outputSchema, approval } = tool
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: jsonSchemaOf(inputSchema, 'input'),
    ...(outputSchema === undefined ? {} : { outputSchema: jsonSchemaOf(outputSchema, 'output') }),
    ...(approval === undefined ? {} : { approval })
  }
}

function jsonSchemaOf(schema: StandardSchemaV1, side: 'input' | 'output'): JsonSchema {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> = schema['~standard']
  if (standard.jsonSchema === undefined)
    throw new TypeError(
      `A schema of ${standard.vendor} has no Standard JSON Schema. Zod has it since version 4.2.`
    )
  return standard.jsonSchema[side]({ target: 'draft-2020-12' })
}
