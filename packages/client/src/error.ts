import type { ApiError } from './types.ts'

/** The server's codes; `UNREACHABLE` when no answer came at all (`status` 0). */
export type ErrorCode = ApiError['code'] | 'UNREACHABLE'

/** What the server refused, or that it did not answer. `message` is a sentence that a person can act on. */
export class WaystationError extends Error {
  override readonly name = 'WaystationError'
  /** Of the answer; 0: there was none. */
  readonly status: number
  readonly code: ErrorCode
  /** What is wrong with which field. */
  readonly fields?: Record<string, string>
  /** Seconds until it may be tried again. */
  readonly retryAfter?: number
  /** Who settled the call first (`ALREADY_SETTLED`). */
  readonly winner?: ApiError['winner']

  constructor(status: number, apiError: Omit<ApiError, 'code'> & { code: ErrorCode }, cause?: unknown) {
    super(apiError.error, { cause })
    this.status = status
    this.code = apiError.code
    if (apiError.fields !== undefined) this.fields = apiError.fields
    if (apiError.retryAfter !== undefined) this.retryAfter = apiError.retryAfter
    if (apiError.winner !== undefined) this.winner = apiError.winner
  }
}

/** The error of an answer that is not a 2xx. A proxy's page in its place still becomes a sentence. */
export function errorOf(response: Response, body: unknown): WaystationError {
  const seconds = Number(response.headers.get('retry-after'))
  const later = seconds > 0 ? { retryAfter: seconds } : {}
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body)
    return new WaystationError(response.status, { ...later, ...(body as ApiError) })
  return new WaystationError(response.status, {
    error: `The server returned ${response.status}.`,
    code: 'UNAVAILABLE',
    ...later
  })
}

/** The error of a request that got no answer. One that was aborted stays what it is. */
export function lostBy(cause: unknown): unknown {
  if (cause instanceof WaystationError || (cause instanceof Error && cause.name === 'AbortError'))
    return cause
  const error = 'The server did not respond. The request may or may not have arrived.'
  return new WaystationError(0, { error, code: 'UNREACHABLE' }, cause)
}
