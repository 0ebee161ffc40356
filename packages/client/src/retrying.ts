import { type Backoff, jitter, rest } from './backoff.ts'

/** The longest `Retry-After` to wait for, in ms. If it is longer, the caller gets the error response. */
const patience = 20_000

/**
 * Returns a `fetch` that retries reads, requests with an `Idempotency-Key`, and answers, which the server
 * accepts twice. It retries if no response arrives, and after 429 and 5xx. It waits at least as long as
 * `Retry-After`.
 */
export function retrying(
  fetch: (request: Request) => Promise<Response>,
  tries: number,
  backoff: Backoff
): (request: Request) => Promise<Response> {
  return async request => {
    for (let failures = 0; ; failures++) {
      const last = failures + 1 >= tries || !isRepeatable(request)
      const wait = jitter(backoff, failures)
      try {
        const response = await fetch(last ? request : request.clone())
        if (last || !(response.status === 429 || response.status >= 500)) return response
        const asked = Number(response.headers.get('retry-after')) * 1000
        if (asked > patience) return response
        await response.body?.cancel()
        await rest(Math.max(asked, wait), request.signal)
      } catch (error) {
        if (last || request.signal.aborted) throw error
        await rest(wait, request.signal)
      }
      request.signal.throwIfAborted()
    }
  }
}

const isRepeatable = ({ method, headers, url }: Request): boolean =>
  method === 'GET' || headers.has('idempotency-key') || /\/calls\/[^/]+\/answer$/.test(new URL(url).pathname)
