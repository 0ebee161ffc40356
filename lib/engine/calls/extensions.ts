import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Answer, Answered, Via } from '#lib/protocol/call/call.ts'
import type { CallRow } from './call-row.ts'
import type { Check } from './check-ahead.ts'
import type { Settlement } from './settle.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly calls: CallExtensions
  }
}

/** What features add to calls (`compose/extensions.ts`). Each runs in the transaction of what it is about, unless it says otherwise. */
export type CallExtensions = {
  /** Throws if an answer asks for more than it may. Before anything is written. */
  checkAnswer: (ctx: Ctx, call: CallRow, answer: Answer, via: Via | undefined) => void
  /** Throws if the arguments that a person edited may not be used. The call stays open. */
  checkEdited: (tx: Ctx, workspaceId: string, call: CallRow, edited: unknown) => Promise<void>
  /** Throws if the caller may not report that a browser's tool failed. `declares`: tools that it declares with the answer. */
  checkFailure: (tx: Ctx, head: LockedSession, toolName: string, declares: readonly string[]) => Promise<void>
  /** What a tool's server asks in the middle of its call; undefined: nothing. */
  questionOf: (call: CallRow) => ServerQuestion | undefined
  /** An answer was accepted. `edited`: the arguments that were approved, if they are not the model's. */
  onAnswered: (tx: Ctx, head: LockedSession, call: CallRow, answer: Answer, edited?: unknown) => Promise<void>
  /** A call was settled as it is now. */
  onSettled: (tx: Ctx, head: LockedSession, call: CallRow) => Promise<void>
}

/** A question that a tool's server asks a person before it goes on. */
export type ServerQuestion = {
  /**
   * Checks for an earlier question of the same call. Returns the receipt if this answer settled that question, `lost` if
   * another answer did, and undefined if the answer is for the current question.
   */
  answeredBefore: (answer: Answer) => Answered | 'lost' | undefined
  /** The call's next state. It runs again with all answers so far. */
  settlement: (
    tx: Ctx,
    answer: Answer,
    check: Check
  ) => Promise<Pick<Settlement, 'state' | 'result' | 'reason' | 'elicited'>>
}
