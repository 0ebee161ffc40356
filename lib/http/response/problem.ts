import type { ApiError } from '@waystation/base/api-error.ts'
import type { ErrorBody, ErrorCode } from '@waystation/protocol/error-body.ts'
import { jsonResponse } from './json-response.ts'

/** The HTTP status of each error code (api.md, "Errors"). */
export const statusOf = {
  MALFORMED_JSON: 400,
  INVALID_SESSION_ID: 400,
  SESSION_ID_REQUIRED: 400,
  SESSION_AGENT_MISMATCH: 400,
  AGENT_NOT_FOUND: 400,
  EMPTY_MESSAGE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FOREIGN_ORIGIN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  SESSION_BUSY: 409,
  ALREADY_SETTLED: 409,
  NOT_ANSWERABLE: 409,
  CONFLICT: 409,
  EXPIRED: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_TYPE: 415,
  INVALID_INPUT: 422,
  KEY_REUSED: 422,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503
} satisfies Record<ErrorCode, number>

/** Writes an error as a JSON response, with `Retry-After` in whole seconds if the client can retry. */
export function problem(apiError: ApiError, status: number = statusOf[apiError.code]): Response {
  const { code, message, extra } = apiError
  const retryAfter = extra.retryAfter ?? (code === 'UNAVAILABLE' ? 2 : undefined)
  const body: ErrorBody = {
    error: message,
    code,
    ...extra,
    ...(retryAfter === undefined ? {} : { retryAfter })
  }
  return jsonResponse(body, status, {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
    ...(code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer realm="waystation"' } : {})
  })
}
