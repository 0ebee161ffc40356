/**
 * Limits of the random wait before a retry, in ms. `first` is the upper limit of the first wait. The limit
 * doubles with each failure, up to `longest`.
 */
export type Backoff = { first: number; longest: number }

/**
 * Returns a random wait in ms ("full jitter"), so that clients that failed together do not retry together.
 * `failures` is the number of failures before this one.
 */
export const jitter = ({ first, longest }: Backoff, failures: number): number =>
  Math.random() * Math.min(longest, first * 2 ** failures)

/** Waits `ms` milliseconds, but not longer than until `signal` aborts or the browser is online again. */
export function rest(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) return done()
    signal?.addEventListener('abort', done)
    globalThis.addEventListener?.('online', done)
  })
}
