import { ApiError } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import { log } from '@waystation/base/log.ts'
import { internalError } from './internal-error.ts'

/**
 * Returns the error that a caller receives. An `ApiError` is returned unchanged. Any other error is a failure of the
 * server: it is logged under the ID that the caller receives, and has its own `status`.
 */
export function toApiError(
  error: unknown,
  { method, path }: { method: string; path: string }
): { apiError: ApiError; status?: number } {
  if (error instanceof ApiError) return { apiError: error }
  const id = newId('err')
  const { apiError, status } = internalError(error, id)
  log('error', 'a request failed', { id, method, path, status, error })
  return { apiError, status }
}
