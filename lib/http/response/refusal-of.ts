import { newId } from '@waystation/base/ids.ts'
import { log } from '@waystation/base/log.ts'
import { Refusal } from '@waystation/base/refusal.ts'
import { internalError } from './internal-error.ts'

/**
 * Returns the error that a caller receives. A `Refusal` is returned unchanged. Any other error is a failure of the
 * server: it is logged under the ID that the caller receives, and has its own `status`.
 */
export function refusalOf(
  error: unknown,
  { method, path }: { method: string; path: string }
): { refusal: Refusal; status?: number } {
  if (error instanceof Refusal) return { refusal: error }
  const id = newId('err')
  const { refusal, status } = internalError(error, id)
  log('error', 'a request failed', { id, method, path, status, error })
  return { refusal, status }
}
