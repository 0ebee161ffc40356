import type { Observer, WatchedTurn } from '#lib/kernel/ports/observer.ts'
import { meters } from './meters.ts'
import type { Tracer } from './tracer.ts'

/**
 * Returns an observer that counts the events of this process and passes them to the tracer, if there is one.
 * `words`: whether the AI SDK may record the inputs and outputs of models.
 */
export function observerWith(tracer: Tracer['observer'] | undefined, words: boolean): Observer {
  const { turns, steps, tokens, tools, settled, claimDelay, outOfBand, oobDelay } = meters()
  return {
    telemetry: { recordInputs: words, recordOutputs: words },
    sessionClaimed: seconds => claimDelay.observe(Math.max(0, seconds)),
    turnEnded(turn) {
      turns.inc({ outcome: turn.outcome })
      tracer?.turnEnded(turn)
    },
    callSettled(call) {
      settled.inc({ kind: call.kind, state: call.state })
      tracer?.callSettled(call)
    },
    outOfBand(change, messages) {
      for (const { priority, source, queuedAt, injectedAt = queuedAt } of messages) {
        outOfBand.inc({ change, priority, source })
        if (change === 'delivered')
          oobDelay.observe({ priority }, Math.max(0, Date.parse(injectedAt) - Date.parse(queuedAt)) / 1000)
      }
    },
    turn(turn) {
      const tracedTurn: WatchedTurn | undefined = tracer?.turn(turn)
      let open = false
      return {
        stepStarted(answered) {
          open = true
          tracedTurn?.stepStarted(answered)
        },
        ask: ask => (tracedTurn === undefined ? ask() : tracedTurn.ask(ask)),
        stepCommitted(step) {
          open = false
          steps.inc({ outcome: 'committed' })
          tokens.inc({ direction: 'in' }, step.inputTokens)
          tokens.inc({ direction: 'out' }, step.outputTokens)
          tracedTurn?.stepCommitted(step)
        },
        async tool(call, run) {
          const end = tools.startTimer({ tool: call.toolName })
          const result = await (tracedTurn === undefined ? run() : tracedTurn.tool(call, run))
          end({ outcome: result.type })
          return result
        },
        released() {
          if (open) steps.inc({ outcome: 'not committed' })
          open = false
          tracedTurn?.released()
        }
      }
    }
  }
}
