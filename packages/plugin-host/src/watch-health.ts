import type { Clock } from './clock.ts'
import type { PluginConnection } from './connect-source.ts'
import { explain } from './explain.ts'
import type { PluginState, Timing } from './plugin-state.ts'

/**
 * Checks a plugin's health until its process ends, too many checks in a row fail, or `signal` aborts. Resolves
 * with the reason. Calls `become` when the plugin gets unhealthy and when it recovers.
 */
export async function watchHealth(
  { calls, gone }: PluginConnection,
  {
    clock,
    times,
    signal,
    become
  }: { clock: Clock; times: Timing; signal: AbortSignal; become: (state: PluginState) => void }
): Promise<string> {
  const done = new AbortController()
  const stopped = AbortSignal.any([done.signal, signal])
  const checkUntilFailed = async () => {
    for (let misses = 0; ; ) {
      await clock.wait(times.healthEvery, stopped)
      if (stopped.aborted) return 'it was stopped'
      const problem = await calls.health({ signal: stopped, timeoutMs: times.healthWithin }).then(
        serving => (serving ? undefined : 'it reports that it is not serving'),
        (error: unknown) => explain(error, stopped).message.replace(/\.$/, '')
      )
      if (stopped.aborted) return 'it was stopped'
      if (problem === undefined) {
        if (misses > 0) become({ kind: 'serving' })
        misses = 0
        continue
      }
      misses += 1
      become({ kind: 'unhealthy', misses, why: problem })
      if (misses >= times.misses) return `it failed ${misses} health checks in a row: ${problem}`
    }
  }
  try {
    return await Promise.race([gone, checkUntilFailed()])
  } finally {
    done.abort()
  }
}
