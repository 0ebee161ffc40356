import type { CapQuestion, SpendCaps } from '@waystation/protocol/call/spending.ts'
import type { Opening } from '#lib/engine/calls/open.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly spending: SpendingExtension
  }
}

/**
 * A spending cap that is reached. `spent` and `allowed` (the amount if a person continues) are in US dollars.
 * The period ends in `secondsLeft`.
 */
export type ReachedCap = {
  cap: CapQuestion
  spent: number
  allowed: number
  secondsLeft: number
  subject: string | null
}

/** The functions that the spending caps feature provides to the engine (`features/limits`). */
export type SpendingExtension = {
  /** Returns the cap with the widest scope that the session has reached; undefined if it has reached none. */
  reached: (
    tx: Ctx,
    session: Pick<LockedSession, 'sessionKey' | 'workspaceId'>,
    caps: SpendCaps
  ) => Promise<ReachedCap | undefined>
  /** Returns the question to ask at this cap. */
  question: (tx: Ctx, session: LockedSession, cap: ReachedCap) => Promise<Question>
}

/** Why "continue?" is asked. At a spending cap, also who can approve it, the amount, and the deadline. */
export type Question = { reason: string } & Pick<Opening, 'answer' | 'cap' | 'deadlineSeconds'>
