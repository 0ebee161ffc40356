import type { Dispatcher } from 'undici'
import { charsetOf, decodeText } from './decode-text.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { outboundError } from './failure.ts'
import { OutboundError } from './outbound-error.ts'
import { agentFor } from './pinned-agent.ts'
import { acceptedEncodings, discard, readBody, tooLarge } from './read-body.ts'
import { type OutboundRequest, redirected, redirectLocation } from './redirect.ts'
import { parseTarget } from './target.ts'

/**
 * - `sensitive`: further headers that must not follow a redirect to another origin. Already kept back: all but a
 *   short list of harmless ones (`redirect.ts`).
 * - `redirect`: `manual` gives a 3xx to the caller as it is. `maxRedirects`: 5.
 * - `maxBytes`: of the unpacked body, 10 MiB. `timeout`: milliseconds for the whole exchange, 30,000.
 * - `heard`: gets what a `200` with an event stream says piece by piece, while it comes.
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
  heard?: ((piece: Uint8Array) => void) | undefined
}

/** `url` is the last one of the redirects; `text()` decodes by byte order mark, then charset, then UTF-8. */
export type SafeResponse = {
  status: number
  url: string
  headers: Headers
  body: Uint8Array
  text: () => string
}

/**
 * The only way out: every HTTP request Waystation makes of its own goes through here (threat surface 2). Any status
 * is an answer. Throws `OutboundError`; when `signal` is aborted, its reason; for a misuse by our own code, a
 * `TypeError`.
 */
export async function safeFetch(
  policy: EgressPolicy,
  url: string | URL,
  init: SafeFetchInit = {}
): Promise<SafeResponse> {
  const { redirect = 'follow', maxRedirects = 5, maxBytes = 10 * 1024 * 1024, timeout = 30_000 } = init
  init.signal?.throwIfAborted()
  let request = firstRequest(url, init)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeout)
  const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
  try {
    for (let hops = 0; ; hops++) {
      const answer = await send(policy, request, signal)
      const headers = headersOf(answer)
      const location = redirect === 'follow' ? redirectLocation(answer.statusCode, headers) : undefined
      if (location === undefined) return await read(request, answer, headers, maxBytes, init.heard)
      discard(answer.body)
      if (hops >= maxRedirects) {
        throw new OutboundError(
          'TOO_MANY_REDIRECTS',
          `${request.url.host} redirected more than ${hops} times.`
        )
      }
      request = redirected(request, answer.statusCode, location)
    }
  } catch (error) {
    init.signal?.throwIfAborted()
    if (late.signal.aborted) {
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

/** Headers of the connection itself. A caller that sets one could make two servers read one request differently. */
const ofTheConnection =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/

/** The platform's own error quotes the value, which may be a credential, and ends as a tool's words to a model. */
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
    if (ofTheConnection.test(name))
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
  const answer = agentFor(policy).request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(headers),
    body,
    signal
  })
  // undici looks at the signal once it is connected, which a slow name server or a silent host can put off.
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function read(
  { url, method }: OutboundRequest,
  answer: Dispatcher.ResponseData,
  headers: Headers,
  maxBytes: number,
  heard: SafeFetchInit['heard']
): Promise<SafeResponse> {
  const empty = method === 'HEAD' || [204, 205, 304].includes(answer.statusCode)
  if (!empty && Number(headers.get('content-length')) > maxBytes) {
    discard(answer.body)
    throw tooLarge(maxBytes)
  }
  const isStream =
    answer.statusCode === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
  const body = await readBody(
    answer.body,
    empty ? null : headers.get('content-encoding'),
    maxBytes,
    isStream ? heard : undefined
  )
  const text = () => decodeText(body, charsetOf(headers.get('content-type')))
  return { status: answer.statusCode, url: url.href, headers, body, text }
}

function headersOf(answer: Dispatcher.ResponseData): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}
