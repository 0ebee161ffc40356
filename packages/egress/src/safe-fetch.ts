import type { Dispatcher } from 'undici'
import { charsetOf, decodeText } from './decode-text.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { outboundError } from './failure.ts'
import type { OutboundResponse } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import { agentFor } from './pinned-agent.ts'
import { acceptedEncodings, discard, readBody, tooLarge } from './read-body.ts'
import { nextRequest, type OutboundRequest, redirectLocation } from './redirect.ts'
import { parseTarget } from './target.ts'

/**
 * Options of `safeFetch`.
 * - `sensitive`: additional headers that must not follow a redirect to another origin. Only a few harmless headers do
 *   so anyway (`redirect.ts`).
 * - `redirect`: `manual` returns a 3xx to the caller. `maxRedirects` defaults to 5.
 * - `maxBytes`: the limit of the decompressed body. Default: 10 MiB.
 * - `timeout`: the limit of the whole request in milliseconds. Default: 30,000.
 * - `partial`: returns the start of a body that is too large, late, broken off or damaged. Such a body is no error.
 * - `onData`: receives the chunks of an event stream with status 200 as they arrive.
 */
export type SafeFetchInit = {
  method?: string
  headers?: HeadersInit
  body?: string | Uint8Array
  sensitive?: readonly string[]
  redirect?: 'follow' | 'manual'
  maxRedirects?: number
  maxBytes?: number
  timeout?: number
  signal?: AbortSignal
  partial?: boolean
  onData?: ((piece: Uint8Array) => void) | undefined
}

/**
 * Sends an HTTP request. All outgoing requests of this server use it (threat surface 2). Any status is a response.
 * Throws `OutboundError`, the reason of an aborted `signal`, or a `TypeError` for misuse by our own code.
 */
export async function safeFetch(
  policy: EgressPolicy,
  url: string | URL,
  init: SafeFetchInit = {}
): Promise<OutboundResponse> {
  const { redirect = 'follow', maxRedirects = 5, maxBytes = 10 * 1024 * 1024, timeout = 30_000 } = init
  init.signal?.throwIfAborted()
  let request = firstRequest(url, init)
  const timeoutController = new AbortController()
  const timer = setTimeout(() => timeoutController.abort(), timeout)
  const signal = init.signal
    ? AbortSignal.any([init.signal, timeoutController.signal])
    : timeoutController.signal
  try {
    for (let hops = 0; ; hops++) {
      const response = await send(policy, request, signal)
      const headers = headersOf(response)
      const location = redirect === 'follow' ? redirectLocation(response.statusCode, headers) : undefined
      if (location === undefined) return await read(request, response, headers, { ...init, maxBytes })
      discard(response.body)
      if (hops >= maxRedirects) {
        throw new OutboundError(
          'TOO_MANY_REDIRECTS',
          `${request.url.host} redirected more than ${hops} times.`
        )
      }
      request = nextRequest(request, response.statusCode, location)
    }
  } catch (error) {
    init.signal?.throwIfAborted()
    if (timeoutController.signal.aborted) {
      throw new OutboundError(
        'TIMEOUT',
        `${request.url.host} did not send its full response within ${timeout / 1000} seconds.`
      )
    }
    throw outboundError(error, request.url.host)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Headers of the connection. If a caller could set them, two servers could read one request differently (request
 * smuggling).
 */
const connectionHeaders =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/

/** The platform's error contains the header's value, which can be a credential, and a model would read it. */
function headersFrom(init: HeadersInit | undefined): Headers {
  try {
    return new Headers(init)
  } catch {
    throw new TypeError('a header has a name or a value that is not valid')
  }
}

function firstRequest(text: string | URL, init: SafeFetchInit): OutboundRequest {
  const url = parseTarget(text)
  const method = (init.method ?? 'GET').toUpperCase()
  if (['CONNECT', 'TRACE', 'TRACK'].includes(method))
    throw new TypeError(`safeFetch does not support ${method}`)
  const headers = headersFrom(init.headers)
  for (const name of headers.keys()) {
    if (connectionHeaders.test(name))
      throw new TypeError(`the header ${name} cannot be set: it belongs to the connection`)
  }
  if (!headers.has('accept')) headers.set('accept', '*/*')
  if (!headers.has('user-agent')) headers.set('user-agent', 'waystation')
  headers.set('accept-encoding', acceptedEncodings)
  const sensitive = new Set((init.sensitive ?? []).map(name => name.toLowerCase()))
  return { url, method, headers, body: init.body, sensitive }
}

async function send(
  policy: EgressPolicy,
  { url, method, headers, body }: OutboundRequest,
  signal: AbortSignal
): Promise<Dispatcher.ResponseData> {
  const response = agentFor(policy).request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(headers),
    body,
    signal
  })
  // undici checks the signal only after it has connected. A slow name server or a silent host delays that.
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([response, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function read(
  { url, method }: OutboundRequest,
  response: Dispatcher.ResponseData,
  headers: Headers,
  { maxBytes, onData, partial = false, signal }: SafeFetchInit & { maxBytes: number }
): Promise<OutboundResponse> {
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(response.statusCode)
  if (!isEmpty && !partial && Number(headers.get('content-length')) > maxBytes) {
    discard(response.body)
    throw tooLarge(maxBytes)
  }
  const isStream =
    response.statusCode === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
  const encoding = isEmpty ? null : headers.get('content-encoding')
  const pieces: Uint8Array[] = []
  const onPiece = partial ? (piece: Uint8Array) => pieces.push(piece) : isStream ? onData : undefined
  const body = await readBody(response.body, encoding, maxBytes, onPiece).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (!partial) throw error
    return Buffer.concat(pieces)
  })
  const text = () => decodeText(body, charsetOf(headers.get('content-type')))
  return { status: response.statusCode, url: url.href, headers, body, text }
}

function headersOf(response: Dispatcher.ResponseData): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  return headers
}
