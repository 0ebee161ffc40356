/** How long one hook may take. Milliseconds. */
const patience = 5_000

/**
 * What a hook comes to, within its time and no longer than its turn: throws past either. One that answers at once costs
 * nothing more than its call. What comes behind its time, a failure too, is nobody's any more.
 */
export async function within(
  signal: AbortSignal,
  run: (until: () => AbortSignal) => unknown
): Promise<unknown> {
  const late = new AbortController()
  const said = run(() => AbortSignal.any([signal, late.signal]))
  if (!isPromise(said)) return said
  const work = Promise.resolve(said)
  work.catch(() => undefined)
  const { promise: over, reject } = Promise.withResolvers<never>()
  const stopped = () => reject(new Error('The turn was stopped.'))
  const timer = setTimeout(
    () => reject(new Error(`The hook took longer than ${patience / 1000} s.`)),
    patience
  )
  if (signal.aborted) stopped()
  signal.addEventListener('abort', stopped, { once: true })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stopped)
    late.abort()
  }
}

const isPromise = (said: unknown): said is PromiseLike<unknown> =>
  typeof said === 'object' && said !== null && 'then' in said && typeof said.then === 'function'
