/** Time limit of one hook, in milliseconds. */
const timeoutMs = 5_000

/**
 * Runs a hook and returns its result. Rejects if it exceeds the time limit or the turn is stopped; a later
 * result or error is ignored. A hook that returns synchronously starts no timer. `until` returns a signal that
 * aborts at the same time.
 */
export async function runWithTimeout(
  signal: AbortSignal,
  run: (until: () => AbortSignal) => unknown
): Promise<unknown> {
  const deadline = new AbortController()
  const result = run(() => AbortSignal.any([signal, deadline.signal]))
  if (!isPromise(result)) return result
  const work = Promise.resolve(result)
  work.catch(() => undefined)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onStop = () => reject(new Error('The turn was stopped.'))
  const timer = setTimeout(
    () => reject(new Error(`The hook took longer than ${timeoutMs / 1000} s.`)),
    timeoutMs
  )
  if (signal.aborted) onStop()
  signal.addEventListener('abort', onStop, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onStop)
    deadline.abort()
  }
}

const isPromise = (result: unknown): result is PromiseLike<unknown> =>
  typeof result === 'object' && result !== null && 'then' in result && typeof result.then === 'function'
