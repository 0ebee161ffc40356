import type { Backoff } from './backoff.ts'
import { endpoints } from './endpoints.ts'
import { errorOf, lostBy } from './error.ts'
import type { operations } from './openapi.ts'
import { withRetries } from './with-retries.ts'

/** The ID of an operation of the HTTP API. */
export type Operation = keyof operations & keyof typeof endpoints

/** An operation whose response is not an event stream. */
export type Callable = {
  [Name in Operation]: operations[Name]['responses'] extends {
    200: { content: { 'text/event-stream': string } }
  }
    ? never
    : Name
}[Operation]

type ContentOf<Described> = Described extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : Blob
  : never
type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 ? ContentOf<Responses[Status]> : never
}[keyof Responses]

/** The body of the response of an operation. A file is a `Blob`. */
export type Result<Name extends Operation> = Success<operations[Name]['responses']>

type BodyOf<Name extends Operation> = operations[Name] extends { requestBody: { content: infer Content } }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : Blob
  : undefined

/** A field that is absent if the operation has no such input, and optional if it can be empty. */
type Field<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<string, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value }

/** The parts of an operation's URL. */
export type UrlInput<Name extends Operation> = Field<'path', operations[Name]['parameters']['path']> &
  Field<'query', operations[Name]['parameters']['query']>

/** The input of an operation. */
export type CallInput<Name extends Operation> = UrlInput<Name> &
  ([BodyOf<Name>] extends [undefined] ? { body?: undefined } : { body: BodyOf<Name> }) & {
    headers?: Record<string, string>
    signal?: AbortSignal | undefined
    /** Receives the sent share of the body, from 0 to 1. Only in browsers, and not with a custom `fetch`. */
    onProgress?: ((share: number) => void) | undefined
  }

/** The arguments after the name of an operation. They can be omitted if nothing is required. */
export type Input<T> = Record<string, never> extends T ? [input?: T] : [input: T]

/** Sends a request to an operation. Rejects with a `WaystationError`. */
export type CallOperation = <Name extends Callable>(
  name: Name,
  ...input: Input<CallInput<Name>>
) => Promise<Result<Name>>

type AnyInput = {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

/** Returns the URL of an operation. */
export function urlOf(url: string, name: Operation, { path = {}, query = {} }: AnyInput = {}): string {
  const filled = endpoints[name][1].replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(path[key] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
  return `${url}${filled}${search.size === 0 ? '' : `?${search}`}`
}

type Caller = {
  url: string
  fetch: (url: string, init: RequestInit, onProgress?: (share: number) => void) => Promise<Response>
  tries: number
  timeout: number
  backoff: Backoff
}

/** Returns the function that sends every request of a client, except event streams. */
export function callerOf({ url, fetch, tries, timeout, backoff }: Caller): CallOperation {
  return async (name, ...[input]) => {
    const { body, headers, signal, onProgress, ...parts } = (input ?? {}) as AnyInput
    const [method, , kind] = endpoints[name] as readonly [string, string, 'file'?]
    const isFile = body instanceof Blob
    const init = {
      method,
      headers: {
        ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) })
    }
    const attempt = async () => {
      const limit = new AbortController()
      const late = () => limit.abort(new DOMException('The server took too long.', 'TimeoutError'))
      // Sending a file can take as long as it needs.
      const timer = isFile ? undefined : setTimeout(late, timeout)
      try {
        const signals = signal === undefined ? [limit.signal] : [limit.signal, signal]
        const response = await fetch(
          urlOf(url, name, parts),
          { ...init, signal: AbortSignal.any(signals) },
          onProgress
        )
        if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined))
        if (kind !== 'file') return await response.json()
        clearTimeout(timer)
        return await response.blob()
      } catch (cause) {
        throw lostBy(cause)
      } finally {
        clearTimeout(timer)
      }
    }
    const isRepeatable =
      method === 'GET' || name === 'answerCall' || name === 'answerCalls' || 'idempotency-key' in init.headers
    return withRetries(attempt, { tries: isRepeatable ? tries : 1, backoff, signal })
  }
}
