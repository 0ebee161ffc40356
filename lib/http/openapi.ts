import { z } from 'zod'
import type { RefusalCode } from '#lib/protocol/refusal.ts'
import { hasBody, type Operation } from './operation.ts'
import { statusOf } from './problem.ts'

type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

/** The contract's version; it grows with additions. */
const apiVersion = '1.0'

/** The reference of these calls as an OpenAPI 3.1 document, made from the schemas that judge the requests. */
export function openapi(operations: readonly Operation[], origin: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: described(operation)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waystation',
      version: apiVersion,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace' }
      },
      schemas: { Refusal: refusalSchema }
    }
  }
}

function described(operation: Operation) {
  const { id, summary, method, path, status = 200, stream = false } = operation
  const input = schemaOf(operation.input)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const takesBody = hasBody(method)
  const rest = Object.keys(input.properties ?? {}).filter(name => !inPath.includes(name))
  const parameter = (where: 'path' | 'query') => (name: string) => ({
    name,
    in: where,
    required: where === 'path' || (input.required?.includes(name) ?? false),
    schema: input.properties?.[name] ?? { type: 'string' }
  })
  return {
    operationId: id,
    summary,
    security: operation.actor === 'public' ? [] : [{ key: [] }],
    parameters: [...inPath.map(parameter('path')), ...(takesBody ? [] : rest.map(parameter('query')))],
    ...(takesBody && (rest.length > 0 || operation.body)
      ? { requestBody: bodyOf(operation, input, inPath) }
      : {}),
    responses: {
      [status]: {
        description: 'Done',
        content: {
          [stream ? 'text/event-stream' : 'application/json']: { schema: stream ? { type: 'string' } : {} }
        }
      },
      ...refusalsOf(operation)
    }
  }
}

function bodyOf(operation: Operation, input: Schema, inPath: string[]) {
  const schema = operation.body ? schemaOf(operation.body) : without(input, inPath)
  return { required: true, content: { 'application/json': { schema } } }
}

const without = (schema: Schema, names: string[]): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  ),
  ...(schema.required ? { required: schema.required.filter(name => !names.includes(name)) } : {})
})

function schemaOf(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest as Schema
}

/** Codes by status: those of the call itself, those of every guarded door, and that of a server in trouble. */
function refusalsOf(operation: Operation) {
  const always: RefusalCode[] = ['INVALID_INPUT', 'UNAVAILABLE']
  const guarded: RefusalCode[] =
    operation.actor === 'user' ? ['UNAUTHENTICATED', 'FORBIDDEN', 'FOREIGN_ORIGIN'] : []
  const byStatus = Object.groupBy(
    [...(operation.refusals ?? []), ...guarded, ...always],
    code => statusOf[code]
  )
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      {
        description: (codes ?? []).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
      }
    ])
  )
}

const refusalSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'A sentence a person can act on' },
    code: { type: 'string', enum: Object.keys(statusOf) },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    winner: { type: 'object' },
    retryAfter: { type: 'number', description: 'Seconds' }
  }
}
