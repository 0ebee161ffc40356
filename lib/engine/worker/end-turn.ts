import type { LoggedEvent, SessionStatus, TurnOutcome } from '@waystation/protocol/session/event.ts'
import { inTransaction, pipelined } from '#db/transaction.ts'
import { storeResult } from '#lib/engine/calls/claim.ts'
import { notifyParent } from '#lib/engine/calls/notify-parent.ts'
import { hasPendingCall } from '#lib/engine/calls/read-calls.ts'
import { type Facts, hasOob, isRunnable } from '#lib/engine/inbox/next-action.ts'
import { readFacts } from '#lib/engine/inbox/read-facts.ts'
import { createTurn } from '#lib/engine/inbox/schedule-if-runnable.ts'
import { append, change } from '#lib/engine/log/append.ts'
import { type Lease, type LockedSession, lockForLease } from '#lib/engine/log/session-lock.ts'
import { chargeBill } from '#lib/engine/worker/limits/charge.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import { closeMessage, persistUnconsumed } from './close-message.ts'
import { workerDied } from './crashes.ts'
import type { Ending } from './ending.ts'
import { release } from './lease.ts'

/** The row of a turn that ends. */
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
 * Ends a turn with its one terminal event, and decides what comes next, in the caller's transaction. Requires
 * the session's lock.
 *
 * Returns true if the owner continues: either the next turn has started, or out-of-band messages have arrived
 * that this turn must take in first. Otherwise, the session is released, after another check under the same
 * lock (docs/concepts/engine.md#release).
 */
export async function endTurn(ctx: Ctx, session: LockedSession, ending: Ending): Promise<boolean> {
  const turnId = session.turnId
  if (turnId === null) return releaseOrGoOn(ctx, session)
  // The agent must not miss messages that arrived while it worked, even at the last moment, so the same turn
  // continues.
  if (
    ending.outcome === 'done' &&
    session.cancelRequested !== turnId &&
    hasOob(await readFacts(ctx, session))
  )
    return true
  return closeTurn(ctx, session, turnId, ending)
}

/** Ends a turn like `endTurn`, without looking for out-of-band messages first. */
async function closeTurn(ctx: Ctx, session: LockedSession, turnId: string, ending: Ending): Promise<boolean> {
  if (ending.bill !== undefined) await chargeBill(ctx, session, ending.bill)
  const isStopped = ending.outcome === 'cancelled' || ending.outcome === 'interrupted'
  const [turn, restingStatus] = await pipelined([
    markEnded(ctx, session, turnId, ending),
    isStopped ? undefined : statusAfter(ctx, session, ending)
  ])
  if (isStopped) await stopOwnCalls(ctx, session, ending.outcome)
  const messageId = turn?.messageId ?? null
  const [status] = await pipelined([
    restingStatus ?? statusAfter(ctx, session, ending),
    messageId === null
      ? undefined
      : closeMessage(ctx, session, messageId, turnId, ending, turn?.live ?? false)
  ])
  if (session.external) await ctx.ports.forwardInbox(ctx, session)
  else if (isStopped) await persistUnconsumed(ctx, session, turnId, ending.outcome)
  await showEnd(ctx, session, turnId, ending, { status, revisions: turn?.revisions })
  // The turn failed before its first step, or its step kills workers. Waiting items would fail as well, so a
  // person decides when to retry.
  if (ending.outcome === 'failed' && (messageId === null || ending.error?.code === workerDied)) {
    release(ctx, session)
    return false
  }
  return releaseOrGoOn(ctx, session)
}

/** The facts that a commit needs to end its turn without another round trip. `waits`: a call is pending. */
type KnownEnd = { facts: Facts; waits: boolean; revisions: number[] }

/** Reads `KnownEnd` of the live turn, without the facts; undefined if there is no live turn. */
export async function readEnd(tx: Ctx, sessionKey: number): Promise<Omit<KnownEnd, 'facts'> | undefined> {
  const [end] = await tx.sql<Omit<KnownEnd, 'facts'>[]>`
    select to_json(t.revisions) as revisions, ${hasPendingCall(tx, sessionKey)} as waits
    from heads h join turns t on t.id = h.turn_id where h.session_key = ${sessionKey}`
  return end
}

/** Ends a turn like `endTurn`, with the commit of its last step, which has closed the turn's message. */
export async function endWithStep(
  ctx: Ctx,
  session: LockedSession,
  turnId: string,
  ending: Ending,
  { facts, waits, revisions }: KnownEnd
): Promise<boolean> {
  ctx.beforeCommit(markEnded(ctx, session, turnId, ending))
  await showEnd(ctx, session, turnId, ending, { status: waits ? 'parked' : 'idle', revisions })
  if (isRunnable({ ...facts, turn: null })) return releaseOrGoOn(ctx, session)
  release(ctx, session)
  return false
}

async function markEnded(ctx: Ctx, session: LockedSession, turnId: string, ending: Ending) {
  const [turn] = await ctx.sql<EndedRow[]>`
    update turns set ended_at = clock_timestamp(), outcome = ${ending.outcome}, begun = committed, retry_at = null,
      error = ${ending.error ?? null}::jsonb
    where id = ${turnId} returning message_id, started_at, ended_at,
      committed as steps, input_tokens, output_tokens, to_json(revisions) as revisions,
      (select t.begun > t.committed from turns t where t.id = turns.id) as live`.execute()
  const { sessionId, agentId } = session
  const { outcome, answered = [] } = ending
  if (turn === undefined) return undefined
  const { messageId: _, live: __, revisions: ___, ...figures } = turn
  ctx.afterCommit(() => observer().turnEnded({ sessionId, agentId, turnId, outcome, answered, ...figures }))
  return turn
}

/** Shows the end of a turn: its terminal event, the session's new status, and the notifications. */
async function showEnd(
  ctx: Ctx,
  session: LockedSession,
  turnId: string,
  { outcome, error }: Ending,
  { status, revisions = [] }: { status: SessionStatus; revisions?: number[] | undefined }
): Promise<void> {
  change(ctx, session, {
    turnId: null,
    cancelRequested: null,
    status,
    retryAt: null,
    isActive: true,
    error: status === 'failed' ? (error ?? null) : null
  })
  const event: LoggedEvent = {
    type: 'status',
    status,
    turnId,
    outcome,
    ...(error === undefined ? {} : { error }),
    ...(revisions.length === 0 ? {} : { revisions })
  }
  append(ctx, session, [event])
  await notifyParent(ctx, session)
  if (outcome === 'failed')
    await ctx.ports.notifyWebhooks(ctx, session, {
      type: 'turn.failed',
      about: turnId,
      data: { turnId, error }
    })
  else if (status === 'parked')
    await ctx.ports.notifyWebhooks(ctx, session, { type: 'session.parked', about: turnId, data: { turnId } })
}

/** Ends the live turn for the owner of the session, like `endTurn`. Throws `LeaseLost`. */
export const endOwnTurn = (ctx: Ctx, lease: Lease, ending: Ending): Promise<boolean> =>
  inTransaction(ctx, async tx => endTurn(tx, await lockForLease(tx, lease), ending))

/** Releases the session if nothing can start. Otherwise, creates a turn if none is live, and returns true. */
async function releaseOrGoOn(ctx: Ctx, session: LockedSession): Promise<boolean> {
  if (isRunnable(await readFacts(ctx, session))) {
    if (session.turnId === null) await createTurn(ctx, session)
    change(ctx, session, { hasWork: 1 })
    return true
  }
  release(ctx, session)
  return false
}

async function statusAfter(ctx: Ctx, session: LockedSession, ending: Ending): Promise<SessionStatus> {
  if (ending.outcome === 'failed') return 'failed'
  const [row] = await ctx.sql<
    { waits: boolean }[]
  >`select ${hasPendingCall(ctx, session.sessionKey)} as waits`
  return row?.waits ? 'parked' : 'idle'
}

/**
 * Settles the server calls of a stopped turn with definite results for the model. Other open calls stay open.
 * Approved calls also stay open if an interrupt, not a cancel, stopped the turn. Requires the session's lock.
 */
async function stopOwnCalls(ctx: Ctx, session: LockedSession, outcome: TurnOutcome): Promise<void> {
  const stoppedCalls = await ctx.sql<{ toolCallId: string; claimed: boolean }[]>`
    select tool_call_id, claimed_at is not null as claimed from calls
    where session_key = ${session.sessionKey} and result is null and (
      claimed_at is not null or (kind = 'server' and state = 'open') or (state = 'approved' and ${outcome === 'cancelled'}))
    order by tool_call_id for update`
  for (const { toolCallId, claimed } of stoppedCalls) {
    const text = claimed
      ? 'The turn was stopped while this call ran. Its outcome is unknown.'
      : 'Not run: the turn was stopped first.'
    await storeResult(ctx, session, toolCallId, { type: 'error', text })
  }
}
