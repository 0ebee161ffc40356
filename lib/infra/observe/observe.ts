import type { Observer, WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { meters } from './meters.ts'
import type { Tracer } from './tracer.ts'

/** Counts what happens in this process, and has it traced if there is a tracer. */
export function observerWith(tracer: Tracer['observer'] | undefined, words: boolean): Observer {
  const { turns, steps, tokens, tools, settled, taken } = meters()
  return {
    telemetry: { recordInputs: words, recordOutputs: words },
    sessionTaken: seconds => taken.observe(Math.max(0, seconds)),
    turnEnded(turn) {
      turns.inc({ outcome: turn.outcome })
      tracer?.turnEnded(turn)
    },
    callSettled(call) {
      settled.inc({ kind: call.kind, state: call.state })
      tracer?.callSettled(call)
    },
    turn(turn) {
      const traced: WatchedTurn | undefined = tracer?.turn(turn)
      let open = false
      return {
        stepBegun(answered) {
          open = true
          traced?.stepBegun(answered)
        },
        ask: ask => (traced === undefined ? ask() : traced.ask(ask)),
        stepCommitted(step) {
          open = false
          steps.inc({ outcome: 'committed' })
          tokens.inc({ direction: 'in' }, step.inputTokens)
          tokens.inc({ direction: 'out' }, step.outputTokens)
          traced?.stepCommitted(step)
        },
        async tool(call, run) {
          const end = tools.startTimer({ tool: call.toolName })
          const result = await (traced === undefined ? run() : traced.tool(call, run))
          end({ outcome: result.type })
          return result
        },
        left() {
          if (open) steps.inc({ outcome: 'not committed' })
          open = false
          traced?.left()
        }
      }
    }
  }
}
