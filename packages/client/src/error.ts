import type { Refusal } from './types.ts'

/** The server's codes; `UNREACHABLE` when no answer came at all (`status` 0). */
export type ErrorCode = Refusal['code'] | 'UNREACHABLE'

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
  readonly winner?: Refusal['winner']

  constructor(status: number, refusal: Omit<Refusal, 'code'> & { code: ErrorCode }, cause?: unknown) {
    super(refusal.error, { cause })
    this.status = status
    this.code = refusal.code
    if (refusal.fields !== undefined) this.fields = refusal.fields
    if (refusal.retryAfter !== undefined) this.retryAfter = refusal.retryAfter
    if (refusal.winner !== undefined) this.winner = refusal.winner
  }
}

/** The error of an answer that is not a 2xx. A proxy's page in its place still becomes a sentence. */
export function errorOf(response: Response, body: unknown): WaystationError {
  const seconds = Number(response.headers.get('retry-after'))
  const later = seconds > 0 ? { retryAfter: seconds } : {}
  if (typeof body === 'object' && body !== null && 'error' in body && 'code' in body)
    return new WaystationError(response.status, { ...later, ...(body as Refusal) })
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
