import { together } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import { enqueue } from '#lib/infra/queue/enqueue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { isRunnable } from './next-action.ts'
import { readFacts } from './read-facts.ts'

/**
 * Owes the session to a worker if something can start: a turn of its own when none is live (idle → running), and when
 * nobody owns it, an owner: this process's worker if it has room (we hold the lock that taking it needs), else whoever
 * hears the wake job. A session with an owner needs neither: its owner looks again before it lets go.
 */
export async function scheduleIfRunnable(ctx: Ctx, head: LockedSession): Promise<void> {
  if (!isRunnable(await readFacts(ctx, head))) return
  head.hasWork = 1
  const [adopted] = await together([
    head.owner === null ? ctx.ports.claim?.(ctx, head.sessionKey) : undefined,
    head.turnId === null ? beginTurn(ctx, head) : undefined
  ])
  if (adopted !== undefined) {
    head.owner = adopted.workerId
    head.epoch = adopted.epoch
    return
  }
  await ctx.sql`update heads set has_work = 1 where session_key = ${head.sessionKey} and has_work = 0`
  if (head.owner !== null) return
  await enqueue(ctx, 'wake', { sessionKey: head.sessionKey }, { key: `wake:${head.sessionKey}` })
}

/** A new turn on the head: from here to its terminal event the session is busy. Its budget goes on from the last
 * turn's; new input of a person resets it when it is drained, an alarm's once a day. What the last turn left parked is its run,
 * until it takes in a message. */
export async function beginTurn(ctx: Ctx, head: LockedSession): Promise<string> {
  const turnId = newId('turn')
  head.turnId = turnId
  head.cancelRequested = null
  head.status = 'running'
  const begun = ctx.sql`
    with moved as (
      update heads set turn_id = ${turnId}, cancel_requested = null where session_key = ${head.sessionKey}
    ), running as (
      update sessions set status = 'running', error = null, retry_at = null where key = ${head.sessionKey}
    ), before as (
      select budget_steps, budget_usd, budget_since, outcome, run_rounds, run_from, committed
      from turns where session_key = ${head.sessionKey} order by started_at desc limit 1
    ), parked as (
      select run_rounds + committed as rounds, run_from from before where outcome = 'parked'
    )
    insert into turns (id, session_key, started_at, budget_steps, budget_usd, budget_since, run_rounds, run_from)
    select ${turnId}, ${head.sessionKey}, clock_timestamp(),
      coalesce((select budget_steps from before), 0), coalesce((select budget_usd from before), 0),
      (select budget_since from before), coalesce((select rounds from parked), 0), (select run_from from parked)`
  await together([begun, append(ctx, head, [{ type: 'status', status: 'running', turnId }])])
  return turnId
}
