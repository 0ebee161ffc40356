import { ApiError } from '@waystation/base/api-error.ts'

/**
 * Returns the error that a caller receives for a failure of the server: an ID to quote, never a stack or an internal
 * message. An unreachable database is `503` (try again soon), anything else `500`. Both have the code `UNAVAILABLE`.
 */
export function internalError(error: unknown, id: string): { apiError: ApiError; status: 500 | 503 } {
  const unreachable = causes(error).some(cause => isUnreachable(cause))
  const message = unreachable
    ? `The database is not available (reference ${id}). Try again in a moment.`
    : `The server had an internal error (reference ${id}). Try again, or give the reference to the operator of this server.`
  return { apiError: new ApiError('UNAVAILABLE', message), status: unreachable ? 503 : 500 }
}

/** Returns an error with all its causes. Drivers wrap network errors, and query builders wrap the driver's errors. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause) {
    chain.push(next, ...(next instanceof AggregateError ? next.errors : []))
  }
  return chain
}

/**
 * Matches socket errors of Node, connection errors of postgres.js, and SQLSTATE classes 08, 53 and 57P (server
 * shutdown).
 */
function isUnreachable(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code ?? '')
  return (
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH)$/.test(code) ||
    /^(CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|CONNECT_TIMEOUT)$/.test(code) ||
    /^(08|53)...$|^57P/.test(code)
  )
}
