import { pipelined } from '#db/transaction.ts'
import { addOobAuthors } from '#lib/engine/context/authors.ts'
import { addEntries, countResult } from '#lib/engine/context/context-entries.ts'
import { consume } from '#lib/engine/inbox/drain.ts'
import { markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { deferOpenCalls } from '#lib/engine/worker/defer.ts'
import { blockOnLimit } from '#lib/engine/worker/limits/block-on-limit.ts'
import type { ReachedCap } from '#lib/engine/worker/limits/extensions.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { resultTokens } from './answered-calls.ts'
import type { StepPlan } from './decide.ts'
import { isCutOff, type StepFacts } from './gather.ts'
import { placeMessages } from './place-messages.ts'
import { startMessage } from './start-message.ts'

/**
 * Stops the turn at a limit: moves the input into the context for the step that starts when a person
 * continues, and opens "continue?".
 */
export async function applyBlock(
  tx: Ctx,
  session: LockedSession,
  { turn, parked }: StepFacts,
  { blocked, messages }: StepPlan,
  cap: ReachedCap | undefined
): Promise<void> {
  placeMessages(tx, session, messages)
  const reason = blocked.reason === undefined ? undefined : { reason: blocked.reason }
  const question = cap === undefined ? reason : await tx.ports.spending.question(tx, session, cap)
  await blockOnLimit(tx, session, question, {
    turn: { ...turn, cutOff: isCutOff(turn), parked },
    writing: blocked.messageId,
    entries: blocked.entries,
    items: blocked.items
  })
}

/** Starts the step: defers open calls, moves the drained items into the context, and shows the start of the step. */
export async function applyStep(
  tx: Ctx,
  session: LockedSession,
  { turn, parked, previousStep }: StepFacts,
  plan: StepPlan
): Promise<void> {
  const { messageId, isNew, entries, outOfBand, items, resultsInPlace, budget, run, ranOn, handed } = plan
  const turnId = session.turnId as string
  const { agentId, revision } = ranOn
  if (session.status !== 'running') {
    append(tx, session, [{ type: 'status', status: 'running', turnId }])
    change(tx, session, { status: 'running', error: null, retryAt: null })
  }
  placeMessages(tx, session, plan.messages)
  await startMessage(
    tx,
    session,
    { ...turn, cutOff: isCutOff(turn), parked },
    { messageId, isNew, oobs: outOfBand, ranOn, shown: previousStep, handed }
  )
  const writes = pipelined([
    deferOpenCalls(tx, session),
    addEntries(tx, session, entries),
    ...resultsInPlace.map(call => countResult(tx, session, call.contextId, resultTokens(call))),
    consume(tx, items),
    markInjected(tx, session, outOfBand),
    addOobAuthors(tx, session.sessionKey, outOfBand),
    tx.sql`
      update turns set begun = committed + 1, began_at = clock_timestamp(), message_id = ${messageId},
        budget_steps = ${budget.steps}, budget_usd = ${budget.usd}, run_rounds = ${run.rounds}, run_from = ${run.from},
        budget_since = case when ${budget.isFresh} then clock_timestamp() else budget_since end, retry_at = null,
        ran_on = ${ranOn}::jsonb,
        revisions = case when ${agentId !== session.agentId} or revisions[cardinality(revisions)] = ${revision}
          then revisions else revisions || ${revision}::int end
      where id = ${turnId}`
  ])
  tx.beforeCommit(writes)
}
