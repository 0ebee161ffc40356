import type { ErrorCode } from '@waystation/protocol/error-body.ts'
import { hasBody, isForTokens, type Operation } from '#lib/http/operation.ts'
import { statusOf } from '#lib/http/response/problem.ts'
import { answerSchemas, inputSchema, type JsonSchema, referTo } from './json-schema.ts'

/** The version of the API. Additions increase it. */
const apiVersion = '1.0'

/**
 * Documents operations as OpenAPI 3.1. The document uses the same schemas that validate the requests and type the
 * answers.
 */
export function openapi(operations: readonly Operation[], origin: string) {
  const { answers, shapes } = answerSchemas(operations)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, answers[operation.id] ?? {})
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
      schemas: shapes
    }
  }
}

function describe(operation: Operation, answer: JsonSchema) {
  const {
    id,
    summary,
    method,
    path,
    status = 200,
    orStatus,
    stream = false,
    text = false,
    plain = false,
    file = false,
    lines = false
  } = operation
  const content =
    file && !hasBody(method) ? bytes : plain ? { 'text/plain': { schema: answer } } : json(answer)
  const response = stream ? streamOf(answer) : lines ? linesOf(answer) : { description: 'Success', content }
  const input = inputSchema(operation.input)
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const takesBody = hasBody(method)
  const raw = text || (file && takesBody)
  const rest = Object.keys(input.properties ?? {}).filter(
    name => !inPath.includes(name) && !(text && name === 'text')
  )
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
    parameters: [
      ...inPath.map(parameter('path')),
      ...(takesBody && !raw ? [] : rest.map(parameter('query')))
    ],
    ...(text ? { requestBody: textBody } : {}),
    ...(file && takesBody ? { requestBody: { required: true, content: bytes } } : {}),
    ...(takesBody && !raw && (rest.length > 0 || operation.body)
      ? { requestBody: bodyOf(operation, input, inPath) }
      : {}),
    responses: {
      [status]: response,
      ...errorResponsesOf(operation),
      ...(orStatus === undefined
        ? {}
        : { [orStatus]: { ...response, description: 'The server is not healthy' } })
    }
  }
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

function bodyOf(operation: Operation, input: JsonSchema, inPath: string[]) {
  const schema = operation.body ? inputSchema(operation.body) : without(input, inPath)
  return { required: true, content: json(schema) }
}

const without = (schema: JsonSchema, names: string[]): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  ),
  ...(schema.required ? { required: schema.required.filter(name => !names.includes(name)) } : {})
})

/**
 * Groups the possible error codes by status: those of the operation, of sessions, of authenticated calls and of the
 * server.
 */
function errorResponsesOf(operation: Operation) {
  const always: ErrorCode[] = ['INVALID_INPUT', 'UNAVAILABLE']
  const guarded: ErrorCode[] =
    operation.actor === 'user' ? ['UNAUTHENTICATED', 'FORBIDDEN', 'FOREIGN_ORIGIN', 'RATE_LIMITED'] : []
  const inSession: ErrorCode[] = operation.path.includes('{sessionId}') ? ['EXPIRED'] : []
  const byStatus = Object.groupBy(
    [...(operation.errors ?? []), ...inSession, ...guarded, ...always],
    code => statusOf[code]
  )
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      { description: (codes ?? []).join(', '), content: json(referTo('ApiError')) }
    ])
  )
}
