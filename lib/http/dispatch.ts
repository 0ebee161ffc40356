import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import { preflight } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import type { Answer } from './from-next.ts'
import type { Operation } from './operation.ts'
import type { Handler } from './raw.ts'
import { endpointNotFound } from './response/endpoint-not-found.ts'
import { methodNotAllowed } from './response/method-not-allowed.ts'

export type Dispatcher = {
  /**
   * Finds the handler for a method and a path as the client sent it. Returns undefined for requests that Next.js
   * answers: pages, files, next-auth, and paths with an empty segment, which Next.js redirects to the path without it.
   */
  answerFor: (method: string, path: string) => Answer | undefined
  /** Answers an API request that Next received. */
  dispatch: Answer
  /** Returns the handler of an operation. Throws if no endpoint implements it. */
  handlerOf: (operation: Operation) => Handler
}

/** Creates the dispatcher of these endpoints. Throws if two of them have the same method and path. */
export function dispatcherOf(endpoints: readonly Endpoint[]): Dispatcher {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  const findMethods = pathTree([...byPath].map(([path, list]) => [path, methodsOf(list)] as const))

  const answerFor = (method: string, path: string): Answer | undefined => {
    const segments = segmentsOf(path)
    if (segments.includes('')) return undefined
    const match = findMethods(segments)
    if (match === undefined) return isApiPath(path) ? endpointNotFound : undefined
    const params = decoded(match.params)
    if (params === undefined) return endpointNotFound
    const handler = match.value.get(method)
    if (handler === undefined) return request => methodNotAllowed(request, allowed(match.value))
    return request => handler(request, params)
  }
  return {
    answerFor,
    dispatch: request =>
      (answerFor(request.method, new URL(request.url).pathname) ?? endpointNotFound)(request),
    handlerOf({ id, method, path }) {
      const endpoint = byPath.get(path)?.find(candidate => candidate.method === method)
      if (endpoint === undefined) throw new Error(`No endpoint implements the operation ${id}.`)
      return endpoint.handler
    }
  }
}

const isApiPath = (path: string): boolean =>
  /^\/(api|external)\//.test(path) && !path.startsWith('/api/auth/')

/** Returns the handler of each method of a path. `HEAD` uses the handler of `GET`, and the transport omits the body. */
function methodsOf(endpoints: readonly Endpoint[]): Map<string, Handler> {
  const methods = new Map<string, Handler>()
  for (const { method, path, handler } of endpoints) {
    if (methods.has(method)) throw new Error(`Two endpoints have ${method} ${path}.`)
    methods.set(method, handler)
    if (method === 'GET') methods.set('HEAD', handler)
  }
  const options: Handler = endpoints.some(({ isForTokens }) => isForTokens)
    ? preflight
    : async () => new Response(null, { status: 204, headers: { allow: allowed(methods) } })
  return methods.set('OPTIONS', options)
}

/** Lists the allowed methods (RFC 9110, 10.2.1). */
const allowed = (methods: Map<string, Handler>): string => [...methods.keys()].sort().join(', ')

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
