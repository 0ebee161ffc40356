/** `work`, done at most once in `ms` milliseconds: whoever asks meanwhile gets the same result. */
export function sharedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at >= ms)
      last = { at: performance.now(), result: work() }
    return last.result
  }
}
