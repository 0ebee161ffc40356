import { failpoint } from '#lib/kernel/failpoint.ts'
import type { RoundHooks } from '#lib/kernel/ports/hooks.ts'
import { runHooked } from './run-hooked.ts'
import type { Turn } from './turn.ts'

/**
 * Claims, runs and records every call that our code may run, in parallel as far as there is room, until none is left
 * (001-14). A call that is approved while others still run joins them. Each has its tool's time, and the calls of a step have
 * a time together: from when a call could run, as this worker knows it, so that neither people nor a server that was down
 * count. What is done by then is kept; each of the others gets an answer that says so. An abort stops waiting at once: what was claimed is settled by whoever ends
 * the turn.
 */
export async function callTools(turn: Turn, hooks: RoundHooks): Promise<void> {
  const running = new Set<Promise<void>>()
  const begun = performance.now()
  const stop = new AbortController()
  const signal = AbortSignal.any([turn.signal, stop.signal])
  const aborted = new Promise<void>(resolve => {
    if (turn.signal.aborted) resolve()
    turn.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    for (;;) {
      if (turn.signal.aborted) return
      // Listen first, then look: an approval that comes while we claim is heard all the same.
      const rung = turn.rung(signal)
      for (const call of await turn.claim(running.size)) {
        const waited = Math.min(call.waited, (performance.now() - begun) / 1000)
        const work = runHooked(turn, hooks, call, signal, call.batchSeconds - waited).then(
          async ({ outcome, duration }) => {
            await failpoint('after_effect_before_record')
            if (!turn.signal.aborted) await turn.record(call.toolCallId, outcome, duration)
          }
        )
        const done = work.finally(() => running.delete(done))
        running.add(done)
      }
      if (running.size === 0) return
      await Promise.race([...running, aborted, rung])
    }
  } finally {
    stop.abort()
    // Only a lost lease or a broken database rejects here; the first one was thrown above.
    await Promise.allSettled(turn.signal.aborted ? [] : running)
  }
}
