import type { z } from 'zod'
import { hasBody, type Operation, type Parts } from '#lib/http/operation.ts'
import { cleanText } from '#lib/kernel/clean-text.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { parseInput } from './parse-input.ts'
import { parseJson } from './parse-json.ts'
import { readText } from './read-text.ts'

/** The most that any body may have. */
const maxBody = 2 * 1024 * 1024

/** The parameters in a request's path, decoded. */
export type Params = Record<string, string>

/**
 * What a request asks, as its operation's schema says: path, query and body in one object. `Idempotency-Key` is the
 * same as `key`, `Last-Event-ID` the same as `after`, where the operation knows those.
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
 * What the path, the headers and the query of a request say, where its body is a file: the path wins over `Idempotency-Key`,
 * and that over the query.
 */
export function readQuery(request: Request, params: Params): Record<string, unknown> {
  const key = request.headers.get('idempotency-key')
  const query = new URL(request.url).searchParams
  return cleanRecord([...query, ...(key === null ? [] : [['key', key] as const]), ...Object.entries(params)])
}

/** The path wins: nothing in a body may name another session than the address does. */
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
  const named = { key: request.headers.get('idempotency-key'), after: request.headers.get('last-event-id') }
  const given = Object.entries(named).filter(([name, value]) => name in shape && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, cleanText(value as string)]))
}
