import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AskedCap, SpendCaps } from '#lib/protocol/call/spending.ts'
import type { Question } from './turn-limit.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly spending: SpendingExtension
  }
}

/** A spending cap that is reached. `spent` and `allowed` (if the person continues) are dollars; the period ends in `secondsLeft`. */
export type ReachedCap = {
  cap: AskedCap
  spent: number
  allowed: number
  secondsLeft: number
  subject: string | null
}

/** Spending caps (`features/limits`). */
export type SpendingExtension = {
  /** The widest of these caps that the session has reached. */
  reached: (
    tx: Ctx,
    head: Pick<LockedSession, 'sessionKey' | 'workspaceId'>,
    caps: SpendCaps
  ) => Promise<ReachedCap | undefined>
  /** The question for the person at a cap. */
  question: (tx: Ctx, head: LockedSession, cap: ReachedCap) => Promise<Question>
}
