import type { Clock } from './clock.ts'
import type { PluginConnection } from './connect-source.ts'
import { explain } from './explain.ts'
import type { PluginState, Timing } from './plugin-state.ts'

/**
 * Checks a plugin's health until its process ends, too many checks in a row fail, or `signal` aborts. Resolves
 * with the reason. If the connection was lost, the plugin may have restarted, so `introduce` registers it again.
 * Calls `become` when the plugin gets unhealthy and when it recovers.
 */
export async function watchHealth(
  { calls, gone, lost }: PluginConnection,
  {
    clock,
    times,
    signal,
    become,
    introduce
  }: {
    clock: Clock
    times: Timing
    signal: AbortSignal
    become: (state: PluginState) => void
    introduce: () => Promise<void>
  }
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
  const registerAfterLoss = async () => {
    for (;;) {
      await lost()
      // A plugin that closes each connection at once must not keep this process busy.
      await clock.wait(times.backoff.first, stopped)
      if (stopped.aborted) return 'it was stopped'
      try {
        await introduce()
      } catch (error) {
        return `the connection was lost: ${explain(error, stopped).message.replace(/\.$/, '')}`
      }
    }
  }
  try {
    return await Promise.race([gone, checkUntilFailed(), registerAfterLoss()])
  } finally {
    done.abort()
  }
}
