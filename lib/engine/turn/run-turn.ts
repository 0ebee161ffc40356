import { callTools } from './call-tools.ts'
import { modelStep } from './model-step.ts'
import { beginWithTools, startStep } from './start-step.ts'
import type { FinishedCall, Turn, TurnEvent } from './turn.ts'

/**
 * Runs a turn: reads the inbox and yields events, one model step at a time
 * (docs/concepts/engine.md#concepts). Between steps, all state is in the database, so the loop can stop at
 * any `await` and another process can start it again:
 *
 * begin (drain, defer) → server calls, if any can run → begin → hooks → one model step → hooks → commit →
 * begin → …
 *
 * The loop ends when nothing starts a step. The turn is then `parked` if the newest step has an open call, or
 * else `done`.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
  let finishedCall: FinishedCall | undefined
  for (;;) {
    if (turn.signal.aborted && finishedCall === undefined)
      return yield { type: 'end', end: { kind: 'aborted' } }
    const next = await turn.begin(finishedCall)
    finishedCall = undefined
    if (next.kind === 'tools') {
      const stopped = await beginWithTools(next)
      if (stopped !== undefined) return yield { type: 'end', end: stopped }
      finishedCall = await callTools(turn, next)
      continue
    }
    if (next.kind !== 'step') return yield { type: 'end', end: { kind: next.kind } }

    const step = await startStep(next)
    if (step.kind === 'failed') return yield { type: 'end', end: step }
    const outcome = yield* modelStep(turn, step)
    if (outcome.kind === 'failed') await turn.keepFailed(outcome.error)
    if (outcome.kind !== 'finished') return yield { type: 'end', end: outcome }
    const { calls, usage } = outcome.step
    await turn.commit(outcome.step, outcome.prompt)
    step.hooks.watch('onRound', { round: step.round, calls, usage })
  }
}
