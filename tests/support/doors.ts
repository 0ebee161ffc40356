import { existsSync } from 'node:fs'
import type { Operation } from '#lib/http/operation.ts'
import type { Handler } from '#lib/http/route.ts'
import { fileOf } from '#scripts/serve/api.ts'

export type Ask = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** The body as it is, also when it is no JSON. */
  raw?: string
  headers?: Record<string, string>
}

/** Knocks at an operation's door as Next would: its own route file, its method, a real request. */
export async function knock(
  { path, method }: Operation,
  { params = {}, query = {}, body, raw, headers = {} }: Ask = {}
): Promise<Response> {
  const file = fileOf(path)
  if (!existsSync(file)) throw new Error(`No route file for ${path}`)
  const doors = (await import(`${process.cwd()}/${file}`)) as Record<string, Handler>
  const door = doors[method]
  if (door === undefined) throw new Error(`${file} does not answer ${method}`)
  const own = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, params[name!] ?? 'unknown'])
  )
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name]!)
  const request = new Request(`http://localhost:3000${address}?${new URLSearchParams(query)}`, {
    method,
    headers,
    ...(raw === undefined && body === undefined ? {} : { body: raw ?? JSON.stringify(body) })
  })
  return door(request, { params: Promise.resolve(own) })
}

/** The same, by the admin key of a test's world (or another), read to its end. */
export async function ask(
  operation: Operation,
  asked: Ask = {},
  secret = 'a-key-for-tests-only'
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${secret}`, ...asked.headers }
  const response = await knock(operation, { ...asked, headers })
  return { status: response.status, body: await response.json() }
}
