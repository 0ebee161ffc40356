/**
 * Iterates `source` until it ends or `signal` aborts, whichever is first: an abort is heard while the source is
 * silent. The source's iterator is returned either way; what it still does then is nobody's concern, only its
 * failure is passed on to nobody.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  const over = { done: true, value: undefined } as const
  let stop = () => {}
  const onAbort = () => stop()
  signal.addEventListener('abort', onAbort)
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        stop = () => resolve(over)
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
