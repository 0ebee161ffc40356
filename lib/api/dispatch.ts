import { preflight } from '#lib/http/cors.ts'
import type { Answer } from '#lib/http/from-next.ts'
import type { Operation } from '#lib/http/operation.ts'
import { operations } from '#lib/http/operations/all.ts'
import type { Handler } from '#lib/http/raw.ts'
import { endpointNotFound } from '#lib/http/response/endpoint-not-found.ts'
import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import { endpoints } from './endpoints.ts'

const byPath = Map.groupBy(endpoints, ({ path }) => path)
const findMethods = pathTree([...byPath.keys()].map(path => [path, methodsOf(path)] as const))

for (const operation of operations) handlerOf(operation)

/**
 * Finds the handler for a method and a path as the client sent it. Returns undefined for requests that Next.js answers:
 * pages, files, next-auth, and paths with an empty segment, which Next.js redirects to the path without it.
 */
export function answerFor(method: string, path: string): Answer | undefined {
  const segments = segmentsOf(path)
  if (segments.includes('')) return undefined
  const match = findMethods(segments)
  if (match === undefined) return isApiPath(path) ? endpointNotFound : undefined
  const params = decoded(match.params)
  if (params === undefined) return endpointNotFound
  const handler = match.value.get(method)
  if (handler === undefined) return () => notAllowed(405, match.value)
  return request => handler(request, params)
}

/** Answers an API request that Next received. */
export const dispatch: Answer = request =>
  (answerFor(request.method, new URL(request.url).pathname) ?? endpointNotFound)(request)

/** Returns the handler of an operation. Throws if `lib/api` binds no verb to it. */
export function handlerOf({ id, method, path }: Operation): Handler {
  const endpoint = byPath.get(path)?.find(candidate => candidate.method === method)
  if (endpoint === undefined) throw new Error(`lib/api has no verb for the operation ${id}.`)
  return endpoint.handler
}

const isApiPath = (path: string): boolean =>
  /^\/(api|external)\//.test(path) && !path.startsWith('/api/auth/')

/** Returns the handler of each method of a path. `HEAD` uses the handler of `GET`, and the transport omits the body. */
function methodsOf(path: string): Map<string, Handler> {
  const pathEndpoints = byPath.get(path) ?? []
  const methods = new Map<string, Handler>()
  for (const { method, handler } of pathEndpoints) {
    if (methods.has(method)) throw new Error(`lib/api has two handlers for ${method} ${path}.`)
    methods.set(method, handler)
    if (method === 'GET') methods.set('HEAD', handler)
  }
  const options: Handler = pathEndpoints.some(({ isForTokens }) => isForTokens)
    ? preflight
    : async () => notAllowed(204, methods)
  return methods.set('OPTIONS', options)
}

/** Lists the allowed methods (RFC 9110, 10.2.1). */
const notAllowed = (status: 204 | 405, methods: Map<string, Handler>) =>
  new Response(null, { status, headers: { allow: [...methods.keys()].sort().join(', ') } })

/** Decodes a path's parameters. Returns undefined if one cannot be decoded. */
function decoded(params: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)])
    )
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
