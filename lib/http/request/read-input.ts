import { invalid } from '@waystation/base/api-error.ts'
import { cleanText } from '@waystation/base/clean-text.ts'
import type { z } from 'zod'
import { hasBody, type Operation, type Parts } from '#lib/http/operation.ts'
import { parseInput } from './parse-input.ts'
import { parseJson } from './parse-json.ts'
import { readText } from './read-text.ts'

/** The most bytes that any body can have. */
const maxBody = 2 * 1024 * 1024

/** The decoded parameters in a request's path. */
export type Params = Record<string, string>

/**
 * Reads and validates an operation's input: path, query and body in one object. If the operation has the fields,
 * `Idempotency-Key` sets `key` and `Last-Event-ID` sets `after`.
 */
export async function readInput<Input extends z.ZodType>(
  request: Request,
  params: Params,
  { method, input, gather = merged, maxBytes = maxBody }: Operation<Input>
): Promise<z.output<Input>> {
  const takesBody = hasBody(method)
  const parts: Parts = {
    path: cleanRecord(Object.entries(params)),
    query: takesBody ? {} : cleanRecord(new URL(request.url).searchParams),
    body: takesBody ? objectIn(await readText(request, Math.min(maxBytes, maxBody))) : {}
  }
  if ('shape' in input)
    Object.assign(takesBody ? parts.body : parts.query, fromHeaders(request, input.shape as object))
  return parseInput(input, gather(parts))
}

/**
 * Reads the input of a request whose body is a file. The path wins over `Idempotency-Key`, which wins over the query.
 */
export function readQuery(request: Request, params: Params): Record<string, unknown> {
  const key = request.headers.get('idempotency-key')
  const query = new URL(request.url).searchParams
  return cleanRecord([...query, ...(key === null ? [] : [['key', key] as const]), ...Object.entries(params)])
}

/** The path wins, so that a body cannot name a session other than the one in the URL. */
const merged = ({ path, query, body }: Parts) => ({ ...query, ...body, ...path })

const cleanRecord = (entries: Iterable<readonly [string, string]>): Record<string, unknown> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, cleanText(value)]))

function objectIn(text: string): Record<string, unknown> {
  const body = text.trim() === '' ? {} : parseJson(text)
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>
  throw invalid('The body must be a JSON object.')
}

function fromHeaders(request: Request, shape: object): Record<string, string> {
  const values = { key: request.headers.get('idempotency-key'), after: request.headers.get('last-event-id') }
  const present = Object.entries(values).filter(([name, value]) => name in shape && value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, cleanText(value as string)]))
}
