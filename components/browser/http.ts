import type { ErrorBody } from '@waystation/protocol/error-body.ts'

/** The result of a request. A `lost` one may have arrived, so repeat it only with its idempotency key. */
export type Reply<T> =
  | { ok: true; body: T }
  | { ok: false; lost: true; retryAfterMs?: number }
  | { ok: false; lost: false; status: number; refusal: ErrorBody }

/** Sends a request with a JSON body. It never rejects, because the reply contains the error. */
export type Http = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>
) => Promise<Reply<T>>

/** Timeout of a request, in ms. */
const patience = 20_000

/** Sends a request: the page's own `fetch`, or one that adds a credential. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Looks up `fetch` for each request, because a page can replace it. */
export const pageFetch: Fetch = (url, init) => fetch(url, init)

/**
 * Returns a function that sends requests to one server. After a 5xx, a 429 or a failed connection, the result
 * is `lost`. Other error responses have a `refusal`.
 */
export const httpTo =
  (baseUrl: string, fetch: Fetch = pageFetch): Http =>
  async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ): Promise<Reply<T>> => {
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patience)
      })
      if (response.ok)
        return { ok: true, body: (response.status === 204 ? undefined : await response.json()) as T }
      if (response.status >= 500 || response.status === 429) {
        const seconds = Number(response.headers.get('retry-after'))
        return { ok: false, lost: true, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) }
      }
      return { ok: false, lost: false, status: response.status, refusal: await errorBodyOf(response) }
    } catch {
      return { ok: false, lost: true }
    }
  }

/**
 * Returns the body of an error response. If the body is not one of ours, for example a proxy's page, the code
 * is `UNAVAILABLE`.
 */
export async function errorBodyOf(response: Response): Promise<ErrorBody> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body) return body as ErrorBody
  return {
    error: `The server returned an unexpected response (HTTP ${response.status}).`,
    code: 'UNAVAILABLE'
  }
}
