import type { CallResult } from '@waystation/protocol/call/call.ts'
import { failpoint } from '#lib/kernel/failpoint.ts'
import type { ToolOutcome } from '#lib/kernel/ports/connection-needed.ts'
import { runHooked } from './after-tool.ts'
import type { Begin, ClaimedCall, FinishedCall, Turn } from './turn.ts'

/**
 * Claims, runs and records all calls that the server can run, in parallel up to the limit, until none is left
 * (001-14). A call that is approved meanwhile joins them.
 *
 * Each call has the time limit of its tool, and the calls of a step share a total limit. It starts when a
 * call could first run on this worker, so waiting for people or for a stopped server does not count. Results
 * within the limit are stored, and each other call gets an error.
 *
 * An abort ends the wait at once, and the end of the turn settles the claimed calls. Returns the last call,
 * which the next `begin` records.
 *
 * @param calls calls that are already claimed; undefined if they have not been searched for
 */
export async function callTools(
  turn: Turn,
  { hooks, calls }: Pick<Extract<Begin, { kind: 'tools' }>, 'hooks' | 'calls'>
): Promise<FinishedCall | undefined> {
  const running = new Set<Promise<void>>()
  const startedAt = performance.now()
  const stop = new AbortController()
  const signal = AbortSignal.any([turn.signal, stop.signal])
  const aborted = new Promise<void>(resolve => {
    if (turn.signal.aborted) resolve()
    turn.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  /** The last running call, if it finished and is not recorded yet. */
  let last: FinishedCall | undefined
  const start = (call: ClaimedCall) => {
    const waited = Math.min(call.waitedSeconds, (performance.now() - startedAt) / 1000)
    const work = runHooked(turn, hooks, call, signal, call.batchSeconds - waited).then(
      async ({ outcome, duration }) => {
        await failpoint('after_effect_before_record')
        if (turn.signal.aborted) return
        const { toolCallId } = call
        if (running.size === 1 && isResult(outcome)) last = { toolCallId, outcome, duration }
        else await turn.record(toolCallId, outcome, duration)
      }
    )
    const settled = work.finally(() => running.delete(settled))
    running.add(settled)
  }
  try {
    for (let claimed = calls; ; claimed = undefined) {
      if (turn.signal.aborted) return last
      // Listen first, then claim, so an approval that arrives during the claim is noticed.
      const wakeUp = turn.notified(signal)
      for (const call of claimed ?? (await turn.claim(running.size))) start(call)
      if (last !== undefined && running.size > 0) {
        // Another call joined while the last one finished, so record it now. The other call can finish
        // meanwhile and is then the last one.
        const { toolCallId, outcome, duration } = last
        last = undefined
        await turn.record(toolCallId, outcome, duration)
      }
      if (running.size === 0) return last
      await Promise.race([...running, aborted, wakeUp])
      // No call is running. The next `begin` searches for more.
      if (last !== undefined && running.size === 0) return last
    }
  } finally {
    stop.abort()
    // Only a lost lease or a database error rejects here, and the first one was already thrown.
    await Promise.allSettled(turn.signal.aborted ? [] : running)
  }
}

const isResult = (outcome: ToolOutcome): outcome is CallResult =>
  outcome.type === 'output' || outcome.type === 'error' || outcome.type === 'denied'
