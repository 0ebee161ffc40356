import { OutboundError } from './outbound-error.ts'
import { parseTarget } from './target.ts'

/** One request of a redirect chain. `sensitive` has the lowercase names of headers that the caller marked as secret. */
export type OutboundRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body?: string | Uint8Array
  readonly sensitive: ReadonlySet<string>
}

/**
 * Headers that do not identify the sender. Only these are sent to another origin after a redirect. `authorization`,
 * `cookie` and custom headers, which often have API keys, are removed.
 */
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'idempotency-key',
  'user-agent'
])

const bodyHeaders = ['content-encoding', 'content-language', 'content-location', 'content-type']

/** Returns the target of a redirect. Undefined if the response is not a redirect or has no location. */
export function redirectLocation(status: number, headers: Headers): string | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  // Header values arrive as latin1 text. Servers write international paths in UTF-8.
  return location === null ? undefined : Buffer.from(location, 'latin1').toString('utf8')
}

/**
 * Returns the next request of a redirect, by the Fetch standard (HTTP-redirect fetch). 303, and a POST with 301 or 302,
 * become a GET without body. 307 and 308 repeat the method and body. Throws `BAD_URL` for an unusable location, and
 * `BLOCKED_TARGET` if credentials or a body would go from https to http.
 */
export function nextRequest(request: OutboundRequest, status: number, location: string): OutboundRequest {
  const url = parseTarget(location, request.url)
  if (!url.hash) url.hash = request.url.hash

  const becomesGet =
    (status === 303 && !['GET', 'HEAD'].includes(request.method)) ||
    ((status === 301 || status === 302) && request.method === 'POST')
  const headers = new Headers(request.headers)
  const secrets = [...headers.keys()].filter(name => request.sensitive.has(name) || !harmless.has(name))

  const downgrade = request.url.protocol === 'https:' && url.protocol === 'http:'
  if (downgrade && (secrets.length > 0 || (request.body !== undefined && !becomesGet))) {
    throw new OutboundError(
      'BLOCKED_TARGET',
      `${request.url.host} redirects to plain http, which could expose the request. Use the final https URL.`
    )
  }
  if (url.origin !== request.url.origin) for (const name of secrets) headers.delete(name)

  if (!becomesGet) return { ...request, url, headers }
  for (const name of bodyHeaders) headers.delete(name)
  return { ...request, url, headers, method: 'GET', body: undefined }
}
