import { beginRound, beginWithTools } from './begin-round.ts'
import { callTools } from './call-tools.ts'
import { modelStep } from './model-step.ts'
import type { FinishedCall, Turn, TurnEvent } from './turn.ts'

/**
 * The loop: reads the inbox and yields events, one model step at a time (docs/concepts/engine.md#concepts). It holds nothing between
 * steps that is not in the database, so it can be dropped at any `await` and begun again by another process:
 *
 *   begin (drain, defer) → our own calls, if any may run → begin → hooks → one model step → hooks → commit → begin → …
 *
 * until nothing starts a step: then it is `parked` (the newest step has an open call) or `done`.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void> {
  let last: FinishedCall | undefined
  for (;;) {
    if (turn.signal.aborted && last === undefined) return yield { type: 'end', end: { kind: 'aborted' } }
    const begun = await turn.begin(last)
    last = undefined
    if (begun.kind === 'tools') {
      const stopped = await beginWithTools(begun)
      if (stopped !== undefined) return yield { type: 'end', end: stopped }
      last = await callTools(turn, begun)
      continue
    }
    if (begun.kind !== 'step') return yield { type: 'end', end: { kind: begun.kind } }

    const step = await beginRound(begun)
    if (step.kind === 'failed') return yield { type: 'end', end: step }
    const outcome = yield* modelStep(turn, step)
    if (outcome.kind !== 'finished') return yield { type: 'end', end: outcome }
    const { calls, usage } = outcome.step
    await turn.commit(outcome.step, outcome.prompt)
    step.hooks.watch('onRound', { round: step.round, calls, usage })
  }
}
