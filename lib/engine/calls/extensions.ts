import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Answer, Via } from '#lib/protocol/call/call.ts'
import type { CallRow } from './call-row.ts'

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
  /** An answer was accepted. `edited`: the arguments that were approved, if they are not the model's. */
  onAnswered: (tx: Ctx, head: LockedSession, call: CallRow, answer: Answer, edited?: unknown) => Promise<void>
  /** A call was settled as it is now. */
  onSettled: (tx: Ctx, head: LockedSession, call: CallRow) => Promise<void>
}
