import { signedHeaders } from './sign.ts'

/** An error of the Waystation server that no retry can mend. `code` is its error code, such as `KEY_REUSED`. */
export class ServerError extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, code: string | undefined, message: string) {
    super(message)
    this.name = 'ServerError'
    this.status = status
    this.code = code
  }
}

/** How long one attempt can take, the first and the longest wait before a retry, and all attempts, in milliseconds. */
const times = { attempt: 60_000, first: 500, longest: 30_000, all: 10 * 60_000 }

/** A request to the server. `key` makes it idempotent, so that retries are safe. */
export type Sent = {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: string
  type?: string
  key?: string
  headers?: Record<string, string>
}

/**
 * Sends a signed request and returns the JSON of the response. Retries after network errors, 429 and 5xx, for ten
 * minutes.
 *
 * @throws ServerError for another error response; the last network error
 */
export async function send(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  url: string,
  { method = 'POST', body = '', type = 'application/json', key = crypto.randomUUID(), headers }: Sent
): Promise<unknown> {
  const end = Date.now() + times.all
  for (let failures = 0; ; failures++) {
    const failure = await attempt(url, {
      method,
      headers: {
        ...(await signedHeaders(secrets, key, body)),
        ...(method === 'POST' ? { 'content-type': type, 'idempotency-key': key } : {}),
        ...headers
      },
      ...(method === 'POST' ? { body } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(times.attempt)
    })
    if ('value' in failure) return failure.value
    const longest = Math.min(times.longest, times.first * 2 ** failures)
    const wait = Math.max(failure.waitMs ?? 0, longest * (0.5 + Math.random() / 2))
    if (failure.waitMs === undefined || Date.now() + wait > end) throw failure.error
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

/** Sends a request once. `waitMs` is the shortest wait before a retry. Undefined: a retry cannot help. */
async function attempt(
  url: string,
  init: RequestInit
): Promise<{ value: unknown } | { error: unknown; waitMs?: number }> {
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    if (response.ok) return { value: text === '' ? undefined : JSON.parse(text) }
    const { status, headers } = response
    const { error = `The server responded with ${status}.`, code } = problemIn(text)
    const failed = new ServerError(status, code, error)
    if (status !== 429 && status < 500) return { error: failed }
    return { error: failed, waitMs: 1000 * (Number(headers.get('retry-after')) || 0) }
  } catch (error) {
    return { error, waitMs: 0 }
  }
}

function problemIn(text: string): { error?: string; code?: string } {
  try {
    const { error, code } = Object(JSON.parse(text))
    return typeof error === 'string' && typeof code === 'string' ? { error, code } : {}
  } catch {
    return {}
  }
}
