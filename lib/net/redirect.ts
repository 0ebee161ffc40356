import { OutboundError } from './outbound-error.ts'
import { parseTarget } from './target.ts'

/** One hop of an outbound request. `sensitive`: names, in lower case, of headers the caller marked as secret. */
export type OutboundRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body?: string | Uint8Array
  readonly sensitive: ReadonlySet<string>
}

/**
 * The headers that say nothing about who is asking. Only these follow a redirect to another origin; `authorization`,
 * `cookie` and every header of somebody's own invention, which is where API keys travel, stay behind.
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

const aboutTheBody = ['content-encoding', 'content-language', 'content-location', 'content-type']

/** Where an answer sends us on to; undefined when it is no redirect, or a redirect to nowhere, which is an answer. */
export function redirectLocation(status: number, headers: Headers): string | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
  // Header values arrive as bytes, one a character; servers write international paths in UTF-8.
  return location === null ? undefined : Buffer.from(location, 'latin1').toString('utf8')
}

/**
 * The request a redirect asks for, by the Fetch standard's rules (HTTP-redirect fetch): 303, and a POST met by 301 or
 * 302, become a GET without body; 307 and 308 repeat method and body. Throws `OutboundError`: `BAD_URL` for a
 * location we will not call, `BLOCKED_TARGET` when credentials or a body would go from https to http.
 */
export function redirected(request: OutboundRequest, status: number, location: string): OutboundRequest {
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
  for (const name of aboutTheBody) headers.delete(name)
  return { ...request, url, headers, method: 'GET', body: undefined }
}
