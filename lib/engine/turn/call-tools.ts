import { failpoint } from '#lib/kernel/failpoint.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import { runHooked } from './run-hooked.ts'
import type { Begin, ClaimedCall, FinishedCall, Turn } from './turn.ts'

/**
 * Claims, runs and records every call that our code may run, in parallel as far as there is room, until none is left
 * (001-14). A call that is approved while others still run joins them. Each has its tool's time, and the calls of a step have
 * a time together: from when a call could run, as this worker knows it, so that neither people nor a server that was down
 * count. What is done by then is kept; each of the others gets an answer that says so. An abort stops waiting at once: what was
 * claimed is settled by whoever ends the turn. Returns the last call, which the next `begin` records.
 *
 * @param calls claimed already; undefined: none were looked for
 */
export async function callTools(
  turn: Turn,
  { hooks, calls }: Pick<Extract<Begin, { kind: 'tools' }>, 'hooks' | 'calls'>
): Promise<FinishedCall | undefined> {
  const running = new Set<Promise<void>>()
  const begun = performance.now()
  const stop = new AbortController()
  const signal = AbortSignal.any([turn.signal, stop.signal])
  const aborted = new Promise<void>(resolve => {
    if (turn.signal.aborted) resolve()
    turn.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  /** A call that was the last one running when it finished. */
  let last: FinishedCall | undefined
  const start = (call: ClaimedCall) => {
    const waited = Math.min(call.waited, (performance.now() - begun) / 1000)
    const work = runHooked(turn, hooks, call, signal, call.batchSeconds - waited).then(
      async ({ outcome, duration }) => {
        await failpoint('after_effect_before_record')
        if (turn.signal.aborted) return
        const { toolCallId } = call
        if (running.size === 1 && isResult(outcome)) last = { toolCallId, outcome, duration }
        else await turn.record(toolCallId, outcome, duration)
      }
    )
    const done = work.finally(() => running.delete(done))
    running.add(done)
  }
  try {
    for (let claimed = calls; ; claimed = undefined) {
      if (turn.signal.aborted) return last
      // Listen first, then look: an approval that comes while we claim is heard all the same.
      const rung = turn.rung(signal)
      for (const call of claimed ?? (await turn.claim(running.size))) start(call)
      if (last !== undefined && running.size > 0) {
        // Another call joined while it finished. That call can finish while this one is recorded, and is then the last one.
        const { toolCallId, outcome, duration } = last
        last = undefined
        await turn.record(toolCallId, outcome, duration)
      }
      if (running.size === 0) return last
      await Promise.race([...running, aborted, rung])
      // Nothing runs any more: whoever begins looks for more calls.
      if (last !== undefined && running.size === 0) return last
    }
  } finally {
    stop.abort()
    // Only a lost lease or a broken database rejects here; the first one was thrown above.
    await Promise.allSettled(turn.signal.aborted ? [] : running)
  }
}

const isResult = (outcome: ToolOutcome): outcome is CallResult =>
  outcome.type === 'output' || outcome.type === 'error' || outcome.type === 'denied'
