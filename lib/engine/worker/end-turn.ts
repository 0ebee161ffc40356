import { inTransaction, together } from '#db/transaction.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { hasNews, isRunnable } from '#lib/engine/inbox/next-action.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { beginTurn } from '#lib/engine/inbox/schedule-if-runnable.ts'
import { type Bill, chargeBill } from '#lib/engine/limits/charge-bill.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AnsweredCall, observer } from '#lib/kernel/ports/observer.ts'
import type { LoggedEvent, SessionStatus, TurnError, TurnOutcome } from '#lib/protocol/session/event.ts'
import { closeMessage, persistUnconsumed } from './close-message.ts'
import { workerDied } from './crashes.ts'
import { release } from './lease.ts'
import { stopOwnCalls } from './stop-own-calls.ts'

export type Ending = {
  outcome: TurnOutcome
  error?: TurnError
  /** What a stopped step had already said: kept in the context, so that the model knows what the person read. */
  partial?: string
  /** What a step took of the model that is not kept, or not whole. */
  bill?: Bill
  /** The calls whose answers it went on from, for those who watch. */
  answered?: readonly AnsweredCall[]
}

/** What its row says of a turn that ends. */
type EndedRow = {
  messageId: string | null
  live: boolean
  startedAt: string
  endedAt: string
  steps: number
  inputTokens: number
  outputTokens: number
  revisions: number[]
}

/**
 * Ends a turn: its one terminal event, and what comes next, in the caller's transaction (the head is locked). If
 * something else can start (a queued message, an answer), the next turn begins at once and `true` is returned: the
 * owner goes on. So it does, in the same turn, when out-of-band input has come that this turn is to be told. Otherwise the owner lets go: lock, check, look, and only then clear (docs/concepts/engine.md#release).
 */
export async function endTurn(ctx: Ctx, head: LockedSession, ending: Ending): Promise<boolean> {
  const turnId = head.turnId
  if (turnId === null) return releaseOrGoOn(ctx, head)
  // No agent ends a turn over something it was sent while it worked, also at the last moment: the same turn goes on.
  if (ending.outcome === 'done' && head.cancelRequested !== turnId && hasNews(await readFacts(ctx, head)))
    return true
  if (ending.bill !== undefined) await chargeBill(ctx, head, ending.bill)
  const [turn] = await ctx.sql<EndedRow[]>`
    update turns set ended_at = clock_timestamp(), outcome = ${ending.outcome}, begun = committed, retry_at = null,
      error = ${ending.error ?? null}::jsonb
    where id = ${turnId} returning message_id, started_at, ended_at,
      committed as steps, input_tokens, output_tokens, to_json(revisions) as revisions,
      (select t.begun > t.committed from turns t where t.id = turns.id) as live`
  const stopped = ending.outcome === 'cancelled' || ending.outcome === 'interrupted'
  if (stopped) await stopOwnCalls(ctx, head, ending.outcome)
  const messageId = turn?.messageId ?? null
  const [status] = await together([
    statusAfter(ctx, head, ending),
    messageId === null ? undefined : closeMessage(ctx, head, messageId, turnId, ending, turn?.live ?? false)
  ])
  if (stopped) await persistUnconsumed(ctx, head, turnId, ending.outcome)
  const ended = ctx.sql`
    with moved as (
      update heads set turn_id = null, cancel_requested = null where session_key = ${head.sessionKey}
    )
    update sessions set status = ${status}, retry_at = null, active_at = clock_timestamp(),
      error = ${status === 'failed' ? (ending.error ?? null) : null}::jsonb
    where key = ${head.sessionKey}`
  head.turnId = null
  head.status = status
  const event: LoggedEvent = {
    type: 'status',
    status,
    turnId,
    outcome: ending.outcome,
    ...(ending.error === undefined ? {} : { error: ending.error }),
    ...(turn === undefined || turn.revisions.length === 0 ? {} : { revisions: turn.revisions })
  }
  await together([ended, append(ctx, head, [event])])
  await notifyParent(ctx, head)
  if (turn !== undefined) ctx.afterCommit(() => notifyObserver(head, turnId, turn, ending))
  if (ending.outcome === 'failed')
    await ctx.ports.notifyWebhooks(ctx, head, {
      type: 'turn.failed',
      about: turnId,
      data: { turnId, error: ending.error }
    })
  else if (status === 'parked')
    await ctx.ports.notifyWebhooks(ctx, head, { type: 'session.parked', about: turnId, data: { turnId } })
  // It failed before it took anything in, or kills whoever runs it: what waits would fare the same way at once. A person
  // tries again.
  if (ending.outcome === 'failed' && (messageId === null || ending.error?.code === workerDied)) {
    await release(ctx, head)
    return false
  }
  return releaseOrGoOn(ctx, head)
}

/** Times as the database's driver gives them are not ISO 8601 yet. */
function notifyObserver(
  head: LockedSession,
  turnId: string,
  turn: EndedRow,
  { outcome, answered = [] }: Ending
): void {
  const { sessionId, agentId } = head
  const { steps, inputTokens, outputTokens } = turn
  const [startedAt, endedAt] = [turn.startedAt, turn.endedAt]
  const counts = { steps, inputTokens, outputTokens }
  observer().turnEnded({ sessionId, agentId, turnId, outcome, startedAt, endedAt, answered, ...counts })
}

/** `endTurn` for the owner of the session. */
export const endOwnTurn = (ctx: Ctx, lease: Lease, ending: Ending): Promise<boolean> =>
  inTransaction(ctx, async tx => endTurn(tx, await lockForLease(tx, lease), ending))

/** Releases the session if nothing can start; else the next turn begins and the owner (or the next wake) goes on. */
async function releaseOrGoOn(ctx: Ctx, head: LockedSession): Promise<boolean> {
  if (isRunnable(await readFacts(ctx, head))) {
    if (head.turnId === null) await beginTurn(ctx, head)
    await ctx.sql`update heads set has_work = 1 where session_key = ${head.sessionKey}`
    return true
  }
  await release(ctx, head)
  return false
}

async function statusAfter(ctx: Ctx, head: LockedSession, ending: Ending): Promise<SessionStatus> {
  if (ending.outcome === 'failed') return 'failed'
  const [row] = await ctx.sql<{ waits: boolean }[]>`
    select exists (select from calls where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server') as waits`
  return row?.waits ? 'parked' : 'idle'
}
