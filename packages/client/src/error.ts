import type { ApiError } from './types.ts'

/** An error code of the server, or `UNREACHABLE` if no response arrived. */
export type ErrorCode = ApiError['code'] | 'UNREACHABLE'

/** An error response of the server, or a missing response. You can show `message` to users. */
export class WaystationError extends Error {
  override readonly name = 'WaystationError'
  /** The HTTP status, or 0 if no response arrived. */
  readonly status: number
  readonly code: ErrorCode
  /** The error of each invalid field. */
  readonly fields?: Record<string, string>
  /** The number of seconds to wait before you try again. */
  readonly retryAfter?: number
  /** True if a retry can succeed: no response arrived, or the status is 408, 429 or 5xx. */
  readonly temporary: boolean
  /** The answer that settled the call first (`ALREADY_SETTLED`). */
  readonly winner?: ApiError['winner']

  constructor(status: number, apiError: Omit<ApiError, 'code'> & { code: ErrorCode }, cause?: unknown) {
    super(apiError.error, { cause })
    this.status = status
    this.code = apiError.code
    this.temporary = status === 0 || status === 408 || status === 429 || status >= 500
    if (apiError.fields !== undefined) this.fields = apiError.fields
    if (apiError.retryAfter !== undefined) this.retryAfter = apiError.retryAfter
    if (apiError.winner !== undefined) this.winner = apiError.winner
  }
}

/**
 * Returns the error of a response that is not 2xx. If the body is not one of the server's, for example a
 * proxy's page, the code is `UNAVAILABLE`.
 */
export function errorOf(response: Response, body: unknown): WaystationError {
  const header = response.headers.get('retry-after')
  const seconds = header ? Number(header) : Number.NaN
  const later = Number.isNaN(seconds) ? {} : { retryAfter: seconds }
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body)
    return new WaystationError(response.status, { ...(body as ApiError), ...later })
  return new WaystationError(response.status, {
    error: `The server returned an unexpected response (HTTP ${response.status}).`,
    code: 'UNAVAILABLE',
    ...later
  })
}

/** Returns the error for a missing response. An `AbortError` or `WaystationError` stays unchanged. */
export function lostBy(cause: unknown): unknown {
  if (cause instanceof WaystationError || (cause instanceof Error && cause.name === 'AbortError'))
    return cause
  const error = 'The server did not respond. The request may or may not have arrived.'
  return new WaystationError(0, { error, code: 'UNREACHABLE' }, cause)
}
