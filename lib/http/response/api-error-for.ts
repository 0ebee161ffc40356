import type { ApiError } from '@waystation/base/api-error.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { toApiError } from './to-api-error.ts'

/**
 * Returns the error that a request receives, as `toApiError`. Each `401` counts for the client IP. Over the limit, the
 * error is `RATE_LIMITED` instead.
 */
export async function apiErrorFor(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  path: string,
  error: unknown
): Promise<{ apiError: ApiError; status?: number }> {
  const result = toApiError(error, { method, path })
  if (result.apiError.code !== 'UNAUTHENTICATED') return result
  try {
    await runtime().ports.enforceRateLimit('unauthenticated', clientAddress(headers))
    return result
  } catch (rateLimitError) {
    return toApiError(rateLimitError, { method, path })
  }
}
