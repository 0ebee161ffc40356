import { type Backoff, jitter, rest } from './backoff.ts'
import { WaystationError } from './error.ts'

/** The longest `Retry-After` to wait for, in ms. If it is longer, the caller gets the error. */
const patience = 20_000

type Retries = {
  /** The maximum number of attempts. */
  tries: number
  backoff: Backoff
  signal?: AbortSignal | undefined
}

/**
 * Runs `attempt` again after a temporary error. Waits a random time, and at least as long as `Retry-After`.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { tries, backoff, signal }: Retries
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const isFinal = !(error instanceof WaystationError && error.temporary)
      if (isFinal || failures + 1 >= tries || signal?.aborted) throw error
      const asked = (error.retryAfter ?? 0) * 1000
      if (asked > patience) throw error
      await rest(Math.max(asked, jitter(backoff, failures)), signal)
      signal?.throwIfAborted()
    }
  }
}
