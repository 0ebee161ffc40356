/**
 * Iterates `source` until it ends or `signal` aborts, even if the source is silent. Either way it calls the iterator's
 * `return` without waiting for it, and ignores its errors.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const doneResult = { done: true, value: undefined } as const
  let resolveDone = () => {}
  const onAbort = () => resolveDone()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        resolveDone = () => resolve(doneResult)
        iterator.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    iterator.return?.().catch(() => {})
  }
}
