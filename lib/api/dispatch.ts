import { preflight } from '#lib/http/cors.ts'
import type { Answer } from '#lib/http/from-next.ts'
import type { Operation } from '#lib/http/operation.ts'
import { operations } from '#lib/http/operations/all.ts'
import type { Handler } from '#lib/http/raw.ts'
import { notHere } from '#lib/http/response/not-here.ts'
import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import { endpoints } from './endpoints.ts'

const byPath = Map.groupBy(endpoints, ({ path }) => path)
const find = pathTree([...byPath.keys()].map(path => [path, methodsOf(path)] as const))

for (const operation of operations) handlerOf(operation)

/**
 * Finds the handler for a method and a path as the client sent it. Returns undefined if Next.js answers the request: pages,
 * files, next-auth, and paths with an empty segment, which Next.js redirects to the path without it.
 */
export function answerFor(method: string, path: string): Answer | undefined {
  const segments = segmentsOf(path)
  if (segments.includes('')) return undefined
  const found = find(segments)
  if (found === undefined) return isOfApi(path) ? notHere : undefined
  const params = decoded(found.params)
  if (params === undefined) return notHere
  const handler = found.value.get(method)
  if (handler === undefined) return () => notAllowed(405, found.value)
  return request => handler(request, params)
}

/** Answers a request that Next received for an address of the API. */
export const dispatch: Answer = request =>
  (answerFor(request.method, new URL(request.url).pathname) ?? notHere)(request)

/** The handler of an operation. */
export function handlerOf({ id, method, path }: Operation): Handler {
  const endpoint = byPath.get(path)?.find(one => one.method === method)
  if (endpoint === undefined) throw new Error(`lib/api has no verb for the operation ${id}.`)
  return endpoint.handler
}

const isOfApi = (path: string): boolean => /^\/(api|external)\//.test(path) && !path.startsWith('/api/auth/')

/** The handler of each method of a path. `HEAD` is answered as `GET`; the transport leaves the body out. */
function methodsOf(path: string): Map<string, Handler> {
  const here = byPath.get(path) ?? []
  const methods = new Map<string, Handler>()
  for (const { method, handler } of here) {
    if (methods.has(method)) throw new Error(`lib/api has two handlers for ${method} ${path}.`)
    methods.set(method, handler)
    if (method === 'GET') methods.set('HEAD', handler)
  }
  const options: Handler = here.some(({ isForTokens }) => isForTokens)
    ? preflight
    : async () => notAllowed(204, methods)
  return methods.set('OPTIONS', options)
}

/** Says which methods there are (RFC 9110, 10.2.1). */
const notAllowed = (status: 204 | 405, methods: Map<string, Handler>) =>
  new Response(null, { status, headers: { allow: [...methods.keys()].sort().join(', ') } })

/** The parameters of a path as the client meant them; undefined if they cannot be decoded. */
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
