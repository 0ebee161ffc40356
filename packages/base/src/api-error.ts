import type { ErrorBody, ErrorCode } from '@waystation/protocol/error-body.ts'
import { KnownError } from './known-error.ts'

/** An expected error of a request. `http/response/problem.ts` maps its code to a status. */
export class ApiError extends KnownError {
  static override readonly kind: string = 'ApiError'
  readonly code: ErrorCode
  readonly extra: Omit<ErrorBody, 'error' | 'code'>

  constructor(code: ErrorCode, message: string, extra: Omit<ErrorBody, 'error' | 'code'> = {}) {
    super(message)
    this.code = code
    this.extra = extra
  }
}

/** Unknown and deleted resources, and those of other workspaces, look the same to the caller. */
export const notFound = (what: string, id: string) =>
  new ApiError('NOT_FOUND', `There is no ${what} "${id}".`)

/** A session that was deleted after its retention period. Only its own workspace gets this error. */
export const expired = (sessionId: string) =>
  new ApiError(
    'EXPIRED',
    `The session "${sessionId}" was deleted because it was inactive for the retention period of its workspace. Create a session with the same ID to start again.`
  )

/** An `INVALID_INPUT` error. `fields` has the error of each field. */
export const invalid = (message: string, fields: Record<string, string> = {}) =>
  new ApiError('INVALID_INPUT', message, { fields })
