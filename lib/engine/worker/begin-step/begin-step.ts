import type { CallResult } from '@waystation/protocol/call/call.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { inTransaction, pipelined, unchanged } from '#db/transaction.ts'
import { type ClaimedRow, claimLocked, storeResult } from '#lib/engine/calls/claim.ts'
import { moveWindow, summaryFromMessages } from '#lib/engine/context/move-window.ts'
import { type Move, planMove } from '#lib/engine/context/read-window.ts'
import { collapseOob } from '#lib/engine/inbox/collapse-out-of-band.ts'
import { nextAction } from '#lib/engine/inbox/next-action.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Begin, Step } from '#lib/engine/turn/turn.ts'
import { askToContinue, hasOpenLimit, settleContinueByMessage } from '#lib/engine/worker/limits/turn-limit.ts'
import { runMessages } from '#lib/engine/worker/read-run.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AnsweredCall } from '#lib/kernel/ports/observer.ts'
import { tokenRatio } from '#lib/kernel/token-ratio.ts'
import { resultTokens } from './answered-calls.ts'
import { applyBlock, applyStep } from './apply.ts'
import { decide, isBlocked, type StepPlan } from './decide.ts'
import { gather, gatherFirst, type StepFacts } from './gather.ts'
import type { Running } from './step-state.ts'

/** The result of `beginStep`, without the context window. */
export type Begun =
  | { kind: Exclude<Begin['kind'], 'step' | 'tools'> }
  | { kind: 'tools'; claimed?: readonly ClaimedRow[] | undefined }
  | (Pick<Step, 'kind' | 'messageId' | 'round' | 'lastAgentId' | 'userMessages'> & {
      answered: readonly AnsweredCall[]
      running: Running
      /** A planned move of the window, for which the model must write a summary. */
      move?: Move
      /**
       * The parked run that a message replaced with this one: its number of steps, and the entry after which
       * its own messages start.
       */
      left?: { rounds: number; from: number | null }
    })

/** The result for each action that starts no step. */
const endings = { wait: 'waiting', park: 'parked', done: 'done' } as const

type BeginOptions = {
  /** Estimated tokens of the instructions and tools of `known`, which are in the prompt but not in the window. */
  fixed?: number
  /** A call to record first, in the same transaction. */
  record?:
    | { toolCallId: string; result: CallResult; tokens: number; duration: number | undefined }
    | undefined
  /** Returns how many calls to claim if calls can run. If it is undefined, no calls are claimed here. */
  maxClaims?: ((tx: Ctx) => Promise<number>) | undefined
  /**
   * Reads of a started step. They travel with its commit, under the lock, so they must be small. Not called if the
   * window has to move.
   */
  readWithCommit?: ((tx: Ctx) => Promise<void>) | undefined
}

/**
 * Starts a step if anything starts one (docs/concepts/engine.md#steps), in one transaction that checks the
 * lease. It gathers facts, decides, and applies the decision. A crash after it loses nothing, because the
 * step is stored as started and runs again from the same context.
 *
 * `turnId` is the turn of this owner. If it is no longer the live one, the result is `aborted`. `known` is the
 * agent configuration of the previous step. It is read again only if the session's revision, overlay or agent
 * has changed.
 */
export async function beginStep(
  ctx: Ctx,
  lease: Lease,
  turnId: string,
  known: Running,
  { fixed = 0, record, maxClaims, readWithCommit }: BeginOptions = {}
): Promise<Begun> {
  return inTransaction<Begun>(ctx, async tx => {
    const at = { ...lease, turnId }
    // A result to record changes the facts, so they are then read after it.
    const [session, early] = await pipelined([
      lockForLease(tx, lease),
      record === undefined ? gatherFirst(tx, at) : undefined
    ])
    if (record !== undefined) await storeResult(tx, session, record.toolCallId, record.result, record)
    // If nothing was recorded, the transaction is rolled back, because even an empty commit waits for the disk.
    const result = (outcome: Begun) => (record === undefined ? unchanged(outcome) : outcome)
    if (session.turnId !== turnId || session.cancelRequested === turnId) return result({ kind: 'aborted' })
    const first = early ?? (await gatherFirst(tx, at))
    Object.assign(first.session, { hasFailed: session.status === 'failed', isForwarded: session.external })
    const action = nextAction(first.session)
    if (action === 'tools' && maxClaims !== undefined)
      return { kind: 'tools', claimed: await claimLocked(tx, session, await maxClaims(tx), first.session) }
    if (action === 'tools') return result({ kind: 'tools' })
    if (action !== 'step') return result({ kind: endings[action] })

    const facts = await gather(tx, session, first, known)
    const plan = decide(facts)
    if (plan.kind === 'ask') {
      await askToContinue(tx, session, plan.messageId, plan.limit)
      return { kind: 'parked' }
    }
    const limits = await checkLimits(tx, session, facts, plan)
    if (isBlocked(plan, limits)) {
      await applyBlock(tx, session, facts, plan, limits.cap)
      return { kind: 'parked' }
    }
    await applyStep(tx, session, facts, plan)
    const move = await planWindow(tx, session, facts, plan, fixed)
    if (plan.outOfBand.length > 0) await collapseOob(tx, session)
    if (move === undefined && readWithCommit !== undefined) tx.beforeCommit(() => readWithCommit(tx))
    const { turn, previousStep, answered, running } = facts
    return {
      kind: 'step',
      messageId: plan.messageId,
      answered,
      running,
      round: turn.committed + 1,
      ...(previousStep === null ? {} : { lastAgentId: previousStep.agentId }),
      userMessages: plan.repeatsFirst
        ? await runMessages(tx, session.sessionKey, plan.run.from)
        : userMessages(plan),
      ...(plan.run.starts && turn.runRounds > 0
        ? { left: { rounds: turn.runRounds, from: turn.runFrom } }
        : {}),
      ...(move === undefined ? {} : { move })
    }
  })
}

/**
 * Returns the limits that stop the session now. If "continue?" is open, a user message can settle it and
 * raise a cap, and another cap can then be the next one reached.
 */
async function checkLimits(
  tx: Ctx,
  session: LockedSession,
  { session: sessionFacts, turn, reached }: StepFacts,
  { by, blocked }: StepPlan
) {
  const isLifted = sessionFacts.atLimit && (await settleContinueByMessage(tx, session, by, reached))
  return {
    cap: isLifted ? await tx.ports.spending.reached(tx, session, turn.caps) : reached,
    limitOpen: blocked.byLimit === 'if it still applies' && (await hasOpenLimit(tx, session))
  }
}

/**
 * Plans a move of the window if the prompt would be too long. Returns the move if the model must write the
 * summary. A summary without a model is made here, and the window moves at once.
 */
async function planWindow(
  tx: Ctx,
  session: LockedSession,
  { running, window }: StepFacts,
  { entries, resultsInPlace, messageId }: StepPlan,
  fixed: number
): Promise<Move | undefined> {
  const { chat } = running.config
  const added = entries.reduce((sum, entry) => sum + entry.tokens, 0)
  const settled = resultsInPlace.reduce((sum, call) => sum + resultTokens(call), 0)
  const room = {
    contextTokens: chat.limits.contextTokens,
    fixed: fixed + countTokens(window.summary),
    ratio: tokenRatio(window.usage, chat.model)
  }
  const move = await planMove(tx, session, room, { ...window, tokens: window.tokens + added + settled })
  if (move === undefined || chat.compaction !== 'words') return move
  await moveWindow(tx, session, move, summaryFromMessages(move), messageId)
  return undefined
}

/** Returns the user messages that a step takes in. */
const userMessages = ({ messages }: StepPlan): Step['userMessages'] =>
  messages.map(({ message: { id, metadata, parts } }) => ({
    id,
    text: textOf({ parts }),
    ...(metadata?.sentBy === undefined ? {} : { sentBy: metadata.sentBy })
  }))
