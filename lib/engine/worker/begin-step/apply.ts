import { together } from '#db/transaction.ts'
import { deferOpenCalls } from '#lib/engine/calls/defer.ts'
import { addOobAuthors } from '#lib/engine/context/authors.ts'
import { addEntries, countResult } from '#lib/engine/context/context-entries.ts'
import { consume } from '#lib/engine/inbox/drain.ts'
import { markInjected } from '#lib/engine/inbox/drain-out-of-band.ts'
import type { ReachedCap } from '#lib/engine/limits/extensions.ts'
import { blockOnLimit } from '#lib/engine/limits/spend-cap.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { resultTokens } from './answered-calls.ts'
import type { StepPlan } from './decide.ts'
import { isCutOff, type StepFacts } from './gather.ts'
import { startMessage } from './start-message.ts'

/** Keeps what came in for the step that begins when somebody continues, and asks whether to. */
export async function applyHold(
  tx: Ctx,
  head: LockedSession,
  { turn, parked }: StepFacts,
  { held }: StepPlan,
  cap: ReachedCap | undefined
): Promise<void> {
  const reason = held.reason === undefined ? undefined : { reason: held.reason }
  const question = cap === undefined ? reason : await tx.ports.spending.question(tx, head, cap)
  await blockOnLimit(tx, head, question, {
    turn: { ...turn, cutOff: isCutOff(turn), parked },
    writing: held.messageId,
    entries: held.entries,
    items: held.items
  })
}

/** Begins the step: defers what is open, drains the inbox into the context, and shows the step's start. */
export async function applyStep(
  tx: Ctx,
  head: LockedSession,
  { turn, parked, shown }: StepFacts,
  plan: StepPlan
): Promise<void> {
  const { messageId, isNew, entries, told, items, atTheirPlace, budget, run, ranOn, handed } = plan
  const turnId = head.turnId as string
  const { agentId, revision } = ranOn
  await together([
    deferOpenCalls(tx, head),
    head.status === 'running' ? undefined : append(tx, head, [{ type: 'status', status: 'running', turnId }]),
    addEntries(tx, head, entries),
    ...atTheirPlace.map(call => countResult(tx, head, call.contextId, resultTokens(call))),
    consume(tx, items),
    startMessage(
      tx,
      head,
      { ...turn, cutOff: isCutOff(turn), parked },
      { messageId, isNew, told, ranOn, shown, handed }
    ),
    markInjected(tx, head, told),
    addOobAuthors(tx, head.sessionKey, told),
    tx.sql`
      update turns set begun = committed + 1, began_at = clock_timestamp(), message_id = ${messageId},
        budget_steps = ${budget.steps}, budget_usd = ${budget.usd}, run_rounds = ${run.rounds}, run_from = ${run.from},
        budget_since = case when ${budget.isFresh} then clock_timestamp() else budget_since end, retry_at = null,
        ran_on = ${ranOn}::jsonb,
        revisions = case when ${agentId !== head.agentId} or revisions[cardinality(revisions)] = ${revision}
          then revisions else revisions || ${revision}::int end
      where id = ${turnId}`,
    tx.sql`
      update sessions set status = 'running', error = null, retry_at = null
      where key = ${head.sessionKey} and status <> 'running'`
  ])
}
