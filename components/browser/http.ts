import type { ErrorBody } from '@waystation/protocol/error-body.ts'

/** What came of a request. `lost`: nobody knows whether it arrived, so it may only be repeated with its key. */
export type Reply<T> =
  | { ok: true; body: T }
  | { ok: false; lost: true; retryAfterMs?: number }
  | { ok: false; lost: false; status: number; refusal: ErrorBody }

export type Http = <T>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>
) => Promise<Reply<T>>

/** How long one request may take, in ms. */
const patience = 20_000

/** How a request goes out: the page's own `fetch`, or one that carries a credential. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Called when it is needed, not kept: a page may put another in its place. */
export const pageFetch: Fetch = (url, init) => fetch(url, init)

/** Requests against one server (api.md). A 5xx, a 429 and a dead line are `lost`; any other refusal is an answer. */
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

/** The body of a refusal; a proxy's page in its place still becomes a sentence. */
export async function errorBodyOf(response: Response): Promise<ErrorBody> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body) return body as ErrorBody
  return {
    error: `The server returned an unexpected response (HTTP ${response.status}).`,
    code: 'UNAVAILABLE'
  }
}
