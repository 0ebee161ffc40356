import { newId } from '#lib/kernel/ids.ts'
import { log } from '#lib/kernel/log.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { unexpected } from './unexpected.ts'

/**
 * What a caller is told of whatever was thrown. A refusal is an answer; anything else is our fault: it is logged under the
 * ID that the caller is told, and has a `status` of its own.
 */
export function refusalOf(
  error: unknown,
  { method, path }: { method: string; path: string }
): { refusal: Refusal; status?: number } {
  if (error instanceof Refusal) return { refusal: error }
  const id = newId('err')
  const { refusal, status } = unexpected(error, id)
  log('error', 'a request failed', { id, method, path, status, error })
  return { refusal, status }
}
