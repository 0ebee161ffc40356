import type { Refusal } from '@waystation/base/refusal.ts'
import { clientAddress } from '#lib/http/request/client-address.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { refusalOf } from './refusal-of.ts'

/**
 * Returns the error that a request receives, as `refusalOf`. Each `401` counts for the client IP. Over the limit, the
 * error is `RATE_LIMITED` instead.
 */
export async function refusalTo(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  path: string,
  error: unknown
): Promise<{ refusal: Refusal; status?: number }> {
  const result = refusalOf(error, { method, path })
  if (result.refusal.code !== 'UNAUTHENTICATED') return result
  try {
    await runtime().ports.enforceRateLimit('unauthenticated', clientAddress(headers))
    return result
  } catch (rateLimitError) {
    return refusalOf(rateLimitError, { method, path })
  }
}
