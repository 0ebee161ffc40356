/** Wraps `work` so that it runs at most once per `ms` milliseconds. Calls in between get the same result. */
export function cacheFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= ms)
      last = { at: performance.now(), result: work() }
    return last.result
  }
}
