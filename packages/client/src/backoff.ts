/** Waits before something is tried again: the first and the longest, in ms. */
export type Backoff = { first: number; longest: number }

/** A wait anywhere between nothing and twice the last one's most ("full jitter"): clients that failed together do not
 * come back together. `failures`: how many there were before, from 0. */
export const jitter = ({ first, longest }: Backoff, failures: number): number =>
  Math.random() * Math.min(longest, first * 2 ** failures)

/** Waits `ms`, or until `signal` aborts; where there is a browser, no longer than until it is online again. */
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
