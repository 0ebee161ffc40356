import { existsSync } from 'node:fs'
import type { Operation } from '#lib/http/operation.ts'
import type { Handler } from '#lib/http/route.ts'
import { fileOf } from '#scripts/serve/api.ts'

export type EndpointCall = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** The body as it is, also when it is no JSON. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** Sends a request to an operation as Next would: its own route file, its method, a real `Request`. */
export async function requestEndpoint(
  { path, method }: Operation,
  { params = {}, query = {}, body, raw, headers = {} }: EndpointCall = {}
): Promise<Response> {
  const file = fileOf(path)
  if (!existsSync(file)) throw new Error(`No route file for ${path}`)
  const handlers = (await import(`${process.cwd()}/${file}`)) as Record<string, Handler>
  const handler = handlers[method]
  if (handler === undefined) throw new Error(`${file} does not answer ${method}`)
  const own = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, params[name!] ?? 'unknown'])
  )
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name]!)
  const request = new Request(`http://localhost:3000${address}?${new URLSearchParams(query)}`, {
    method,
    headers,
    ...(raw === undefined && body === undefined ? {} : { body: raw ?? JSON.stringify(body) })
  })
  return handler(request, { params: Promise.resolve(own) })
}

/** The same with an API key (the admin key of the test's world unless another is given). Returns the status and the JSON body. */
export async function callEndpoint(
  operation: Operation,
  asked: EndpointCall = {},
  secret = 'the-admin-key-of-every-test'
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${secret}`, ...asked.headers }
  const response = await requestEndpoint(operation, { ...asked, headers })
  return { status: response.status, body: await response.json() }
}
