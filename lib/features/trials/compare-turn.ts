import { ApiError } from '@waystation/base/api-error.ts'
import type { CompareTurn, StartedTrials, TurnRef, Variant } from '@waystation/protocol/session/comparison.ts'
import { RerunTurn } from '@waystation/protocol/session/turn-action.ts'
import { inTransaction } from '#db/transaction.ts'
import { revisionFor } from '#lib/agents/snapshots.ts'
import { findReceipt, storeReceipt } from '#lib/engine/inbox/receipts.ts'
import { type LockedSession, lockSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'

/**
 * Runs a turn's message on other revisions of the agent, in one trial session each: a branch in which the turn runs
 * again. The session itself does not change. All trials start in one transaction, or none. The same key returns the
 * same trials.
 */
export async function compareTurn(ctx: Ctx, input: CompareTurn): Promise<StartedTrials> {
  const { key, sessionId, messageId, with: variants } = input
  const body = { messageId, with: variants }
  return inTransaction(ctx, async tx => {
    const session = await lockSession(tx, sessionId)
    const receipt = await findReceipt<StartedTrials>(tx, session, 'compare', key, body)
    if (receipt !== undefined) return receipt
    const pinned = await pinOf(tx, session)
    const trials: TurnRef[] = []
    for (const variant of variants) trials.push(await startTrial(tx, session, messageId, variant, pinned))
    const answer: StartedTrials = { trials }
    await storeReceipt(tx, session, 'compare', key, body, answer)
    return answer
  })
}

async function startTrial(
  tx: Ctx,
  { sessionId, agentId }: LockedSession,
  messageId: string,
  { revision, model }: Variant,
  pinned: number | undefined
): Promise<TurnRef> {
  const pin = await revisionFor(tx, agentId, { revision: revision ?? pinned, model })
  const branch = await branchSession(tx, { sessionId, messageId }, { pin, trial: true })
  // The copied turn is replaced, so its calls do not matter.
  const rerun = RerunTurn.parse({ sessionId: branch.sessionId, messageId, calls: true })
  return { sessionId: branch.sessionId, messageId: (await rerunTurn(tx, rerun)).messageId }
}

/** Returns the revision that a session is pinned to. Throws `CONFLICT` if it was handed to another agent. */
async function pinOf(tx: Ctx, session: LockedSession): Promise<number | undefined> {
  const [row] = await tx.sql<{ pinned: number | null; handedTo: string | null }[]>`
    select pinned_revision as pinned, handed_to from sessions where key = ${session.sessionKey}`
  if (typeof row?.handedTo === 'string')
    throw new ApiError(
      'CONFLICT',
      `This session was handed to the agent "${row.handedTo}". Hand it back to "${session.agentId}" before you compare.`
    )
  return row?.pinned ?? undefined
}
