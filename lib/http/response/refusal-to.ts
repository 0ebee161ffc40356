import { clientAddress } from '#lib/http/request/client-address.ts'
import type { Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { refusalOf } from './refusal-of.ts'

/**
 * The refusal that a request gets for whatever was thrown, as `refusalOf`. A `401` counts for the client IP; past the limit it
 * is a `429 RATE_LIMITED`.
 */
export async function refusalTo(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  path: string,
  error: unknown
): Promise<{ refusal: Refusal; status?: number }> {
  const refused = refusalOf(error, { method, path })
  if (refused.refusal.code !== 'UNAUTHENTICATED') return refused
  try {
    await runtime().ports.enforceRateLimit('unauthenticated', clientAddress(headers))
    return refused
  } catch (limit) {
    return refusalOf(limit, { method, path })
  }
}
