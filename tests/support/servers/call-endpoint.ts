import { handlerOf } from '#lib/api/dispatch.ts'
import type { Operation } from '#lib/http/operation.ts'

export type EndpointCall = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** The body as is, even if it is not JSON. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Sends a real `Request` to the handler of an operation. Missing path parameters are `unknown`. */
export async function requestEndpoint(
  operation: Operation,
  { params = {}, query = {}, body, raw, headers = {} }: EndpointCall = {}
): Promise<Response> {
  const { path, method } = operation
  const pathParams = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, params[name!] ?? 'unknown'])
  )
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => pathParams[name]!)
  const request = new Request(`http://localhost:3000${address}?${new URLSearchParams(query)}`, {
    method,
    headers,
    ...(raw === undefined && body === undefined ? {} : { body: raw ?? JSON.stringify(body) })
  })
  return handlerOf(operation)(request, pathParams)
}

/**
 * Like `requestEndpoint`, with an API key (default: the admin key of the test's server). Returns the status and the
 * JSON body.
 */
export async function callEndpoint(
  operation: Operation,
  options: EndpointCall = {},
  secret = 'the-admin-key-of-every-test'
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${secret}`, ...options.headers }
  const response = await requestEndpoint(operation, { ...options, headers })
  return { status: response.status, body: await response.json() }
}
