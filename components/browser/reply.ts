import { WaystationError } from '@waystation/client'

/**
 * The result of a request. A request with a temporary error may have arrived, so repeat it only with its
 * idempotency key.
 */
export type Reply<T> = { ok: true; body: T } | { ok: false; error: WaystationError }

/** Returns the result of a request of the client. It rejects only if the caller canceled the request. */
export const replyTo = <T>(request: Promise<T>): Promise<Reply<T>> =>
  request.then(
    body => ({ ok: true, body }),
    error => {
      if (error instanceof WaystationError) return { ok: false, error }
      throw error
    }
  )
