import type { TurnError, TurnOutcome } from '@waystation/protocol/session/event.ts'
import type { Bill } from '#lib/engine/worker/limits/charge.ts'
import type { AnsweredCall } from '#lib/kernel/ports/observer.ts'

/** How a turn ends. */
export type Ending = {
  outcome: TurnOutcome
  error?: TurnError
  /**
   * The partial text of a stopped step. It is stored in the context, so that the model knows what the user
   * has read.
   */
  partial?: string
  /** The cost of a model call that is not part of a committed step. */
  bill?: Bill
  /** The calls whose answers the turn took in, for the observer. */
  answered?: readonly AnsweredCall[]
}
