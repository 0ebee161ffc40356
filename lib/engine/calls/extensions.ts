import type { AccountOf } from '@waystation/protocol/call/answer-policy.ts'
import type { Answer, Answered, Via } from '@waystation/protocol/call/call.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallRow } from './call-row.ts'
import type { SchemaCheck } from './check-ahead.ts'
import type { Settlement } from './settle.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    readonly calls: CallExtensions
    /** Forwards the inbox to the external agent that has taken over, when a turn ends. Needs the session's lock. */
    readonly forwardInbox: (tx: Ctx, session: LockedSession) => Promise<void>
  }
}

/**
 * Hooks that features add to calls (`compose/extensions.ts`). Each runs in the transaction of its operation,
 * unless stated otherwise.
 */
export type CallExtensions = {
  /** Throws if an answer exceeds what the caller is permitted to answer. Runs before anything is written. */
  checkAnswer: (ctx: Ctx, call: CallRow, answer: Answer, via: Via | undefined) => void
  /** Throws if the edited arguments are not permitted. The call stays open. */
  checkEdited: (tx: Ctx, session: LockedSession, call: CallRow, edited: unknown) => Promise<void>
  /**
   * Throws if the caller is not permitted to report a failed browser tool. `declares` lists the tools that
   * the caller declares with the answer.
   */
  checkFailure: (
    tx: Ctx,
    session: LockedSession,
    toolName: string,
    declares: readonly string[]
  ) => Promise<void>
  /** Returns the question that an MCP server asked during this call; undefined if it asked none. */
  questionOf: (call: CallRow) => ServerQuestion | undefined
  /** Returns the owner of the accounts that the calls of a step can use. Undefined: a program, which has none. */
  accountOwner: (tx: Ctx, session: LockedSession) => Promise<AccountOf | undefined>
  /** Returns the settlement of a connection call for a client's answer. Throws `INVALID_INPUT` if it is none. */
  connectionSettlement: (
    tx: Ctx,
    session: LockedSession,
    call: CallRow,
    output: unknown
  ) => Promise<Pick<Settlement, 'state' | 'result' | 'reason'>>
  /** Runs after an answer was accepted. `edited` contains the approved arguments if they differ from the model's. */
  onAnswered: (
    tx: Ctx,
    session: LockedSession,
    call: CallRow,
    answer: Answer,
    edited?: unknown
  ) => Promise<void>
  /** Runs after a call was settled. `call` is the settled row. */
  onSettled: (tx: Ctx, session: LockedSession, call: CallRow) => Promise<void>
}

/** A question that an MCP server asks a person before it continues a call. */
export type ServerQuestion = {
  /**
   * Checks for an earlier question of the same call. Returns the receipt if this answer settled that question, `lost` if
   * another answer did, and undefined if the answer is for the current question.
   */
  answeredBefore: (answer: Answer) => Answered | 'lost' | undefined
  /** Returns the call's next state. The call runs again with all answers so far. */
  settlement: (
    tx: Ctx,
    answer: Answer,
    check: SchemaCheck
  ) => Promise<Pick<Settlement, 'state' | 'result' | 'reason' | 'elicited'>>
}
