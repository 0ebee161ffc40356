import type { ErrorCode } from '@waystation/protocol/error-body.ts'
import { hasBody, isForTokens, type Operation } from '#lib/http/operation.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import { answerSchemas, inputSchemas, type JsonSchema, referTo } from './json-schema.ts'

/** The version of the API. Additions increase it. */
const apiVersion = '1.0'

/**
 * Documents operations as OpenAPI 3.1. The document uses the same schemas that validate the requests and type the
 * answers.
 */
export function openapi(operations: readonly Operation[], origin: string) {
  const { answers, shapes } = answerSchemas(operations)
  const { inputs, bodies, shapes: inputShapes } = inputSchemas(operations)
  const schemas: Record<string, JsonSchema> = { ...shapes, ...inputShapes }
  const addSchema: AddSchema = (name, schema) => {
    if ('$ref' in schema) return schema
    schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(
        operation,
        {
          answer: answers[operation.id] ?? {},
          input: inputs[operation.id] ?? {},
          body: bodies[operation.id]
        },
        addSchema
      )
    }
  }
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Waystation',
      version: apiVersion,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
    },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the workspace' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session token: access to one session, from allowed origins'
        }
      },
      responses: Object.assign({}, ...operations.map(operation => errorResponses(operation).shared)),
      schemas
    }
  }
}

/** Adds a schema to the document, if it has no name yet, and returns a reference to it. */
type AddSchema = (name: string, schema: JsonSchema) => JsonSchema

/** The schemas of an operation. `body` is set if the body differs from the input. */
type Described = { answer: JsonSchema; input: JsonSchema; body: JsonSchema | undefined }

function describe(operation: Operation, { answer, input, body }: Described, addSchema: AddSchema) {
  const { id, summary, method, path, status = 200, orStatus, text = false, file = false } = operation
  const name = id.replace(/^./, letter => letter.toUpperCase())
  const response = responseOf(operation, answer, schema => addSchema(`${name}Response`, schema))
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const rest = Object.keys(input.properties ?? {}).filter(
    name => !inPath.includes(name) && !(text && name === 'text')
  )
  const inQuery = !hasBody(method) || text || file
  // A union has no properties of its own.
  const hasJson = !inQuery && (rest.length > 0 || 'anyOf' in input || 'oneOf' in input || body)
  const parameter = (where: 'path' | 'query') => (name: string) => ({
    name,
    in: where,
    required: where === 'path' || (input.required?.includes(name) ?? false),
    schema: input.properties?.[name] ?? { type: 'string' }
  })
  return {
    operationId: id,
    summary,
    security:
      operation.actor === 'public' ? [] : [{ key: [] }, ...(isForTokens(operation) ? [{ token: [] }] : [])],
    parameters: [...inPath.map(parameter('path')), ...(inQuery ? rest.map(parameter('query')) : [])],
    ...(text ? { requestBody: textBody } : {}),
    ...(file && hasBody(method) ? { requestBody: { required: true, content: bytes } } : {}),
    ...(hasJson
      ? {
          requestBody: {
            required: true,
            content: json(addSchema(`${name}Input`, body ?? without(input, inPath)))
          }
        }
      : {}),
    responses: {
      [status]: response,
      ...errorResponses(operation).byStatus,
      ...(orStatus === undefined
        ? {}
        : {
            [orStatus]: {
              ...response,
              description: orStatus === 200 ? 'The key was already used' : 'The server is not healthy'
            }
          })
    }
  }
}

/** Describes a success. `named` gives the schema of a JSON response its name. */
function responseOf(
  { method, stream, lines, plain, file }: Operation,
  answer: JsonSchema,
  named: (schema: JsonSchema) => JsonSchema
) {
  if (stream) return streamOf(answer)
  if (lines) return linesOf(answer)
  const success = (content: object) => ({ description: 'Success', content })
  if (file && !hasBody(method)) return success(bytes)
  return success(plain ? { 'text/plain': { schema: answer } } : json(named(answer)))
}

const textBody = { required: true, content: { 'text/plain': { schema: { type: 'string' } } } }

/** A body of any content type. */
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } }

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/**
 * To a schema, a stream is text. `x-event-data` has the schema of each event's data, because OpenAPI cannot describe it
 * before 3.2.
 */
const streamOf = (event: JsonSchema) => ({
  description: 'Server-Sent Events with `data` of the schema `x-event-data`; ignore unknown types',
  content: { 'text/event-stream': { schema: { type: 'string' }, 'x-event-data': event } }
})

const linesOf = (line: JsonSchema) => ({
  description: 'JSON Lines with the schema `x-line`, ending with `end`; ignore unknown types',
  content: { 'application/x-ndjson': { schema: { type: 'string' }, 'x-line': line } }
})

const without = (schema: JsonSchema, names: string[]): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  ),
  ...(schema.required ? { required: schema.required.filter(name => !names.includes(name)) } : {})
})

/**
 * Returns the possible error responses of an operation, by status: its own, those of sessions, of authenticated
 * calls and of the server. `byStatus` refers to `shared`, which many operations have in common.
 */
function errorResponses(operation: Operation) {
  const always: ErrorCode[] = ['INVALID_INPUT', 'UNAVAILABLE']
  const guarded: ErrorCode[] =
    operation.actor === 'user' ? ['UNAUTHENTICATED', 'FORBIDDEN', 'FOREIGN_ORIGIN', 'RATE_LIMITED'] : []
  const inSession: ErrorCode[] = operation.path.includes('{sessionId}') ? ['EXPIRED'] : []
  const codes = new Set([...(operation.errors ?? []), ...inSession, ...guarded, ...always])
  const groups = Object.entries(Object.groupBy([...codes].sort(), code => statusOf[code])).map(
    ([status, group = []]) => ({ status, group, name: group.map(pascalCase).join('Or') })
  )
  return {
    byStatus: Object.fromEntries(
      groups.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])
    ),
    shared: Object.fromEntries(
      groups.map(({ name, group }) => [
        name,
        { description: group.join(', '), content: json(referTo('ApiError')) }
      ])
    )
  }
}

const pascalCase = (code: ErrorCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
