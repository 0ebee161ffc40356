import { newId } from '@waystation/base/ids.ts'
import { pipelined } from '#db/transaction.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { take } from '#lib/engine/worker/lease.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { isRunnable } from './next-action.ts'
import { readFacts } from './read-facts.ts'

/**
 * Schedules a worker if the session can act: creates a turn if none is live, and finds an owner if there is
 * none. The worker of this process takes the session if it has a free slot; otherwise a `wake` job is added.
 * An existing owner needs no wake-up, because it checks the inbox before it releases the session. Requires
 * the session's lock.
 */
export async function scheduleIfRunnable(ctx: Ctx, session: LockedSession): Promise<void> {
  if (isRunnable(await readFacts(ctx, session))) await schedule(ctx, session)
}

/** Schedules a worker for a session that can act, like `scheduleIfRunnable`. */
export async function schedule(ctx: Ctx, session: LockedSession): Promise<void> {
  const { sessionKey } = session
  const workerId = session.owner === null ? ctx.ports.claim?.(ctx, session) : undefined
  const isQueued = session.owner === null && workerId === undefined
  if (workerId !== undefined) take(ctx, session, workerId)
  else if (session.hasWork === 0) change(ctx, session, { hasWork: 1 })
  await pipelined([
    session.turnId === null ? createTurn(ctx, session) : undefined,
    isQueued ? enqueue(ctx, 'wake', { sessionKey }, { key: `wake:${sessionKey}` }) : undefined
  ])
}

/**
 * Creates the session's live turn. The session is busy until the turn's terminal event. The turn continues
 * the budget of the last turn: a user's input resets it when it is drained, and an alarm's input does so once
 * a day. If the last turn was parked, this turn continues its run until it takes in a message. Requires the
 * session's lock.
 */
export async function createTurn(ctx: Ctx, session: LockedSession): Promise<string> {
  const turnId = newId('turn')
  change(ctx, session, { turnId, cancelRequested: null, status: 'running', error: null, retryAt: null })
  append(ctx, session, [{ type: 'status', status: 'running', turnId }])
  await ctx.sql`
    with before as (
      select budget_steps, budget_usd, budget_since, outcome, run_rounds, run_from, committed
      from turns where session_key = ${session.sessionKey} order by started_at desc limit 1
    ), parked as (
      select run_rounds + committed as rounds, run_from from before where outcome = 'parked'
    )
    insert into turns (id, session_key, started_at, budget_steps, budget_usd, budget_since, run_rounds, run_from)
    select ${turnId}, ${session.sessionKey}, clock_timestamp(),
      coalesce((select budget_steps from before), 0), coalesce((select budget_usd from before), 0),
      (select budget_since from before), coalesce((select rounds from parked), 0), (select run_from from parked)`
  return turnId
}
