import type { Clock } from './clock.ts'
import { explain } from './explain.ts'
import type { PluginState, Timing } from './plugin-state.ts'
import type { Reached } from './reach.ts'

/**
 * Asks a plugin for its health until it is gone, has missed too often in a row, or `signal` aborts; resolves with why. Tells
 * `become` when it is unhealthy, and when it serves again.
 */
export async function watchHealth(
  { calls, gone }: Reached,
  {
    clock,
    times,
    signal,
    become
  }: { clock: Clock; times: Timing; signal: AbortSignal; become: (state: PluginState) => void }
): Promise<string> {
  const over = new AbortController()
  const until = AbortSignal.any([over.signal, signal])
  const missed = async () => {
    for (let misses = 0; ; ) {
      await clock.wait(times.healthEvery, until)
      if (until.aborted) return 'it was stopped'
      const fault = await calls.health({ signal: until, timeoutMs: times.healthWithin }).then(
        well => (well ? undefined : 'it reports that it is not serving'),
        (error: unknown) => explain(error, until).message.replace(/\.$/, '')
      )
      if (until.aborted) return 'it was stopped'
      if (fault === undefined) {
        if (misses > 0) become({ kind: 'serving' })
        misses = 0
        continue
      }
      misses += 1
      become({ kind: 'unhealthy', misses, why: fault })
      if (misses >= times.misses) return `it failed ${misses} health checks in a row: ${fault}`
    }
  }
  try {
    return await Promise.race([gone, missed()])
  } finally {
    over.abort()
  }
}
