import { inTransaction } from '#db/transaction.ts'
import { json } from '#db/client.ts'
import { finish } from '#lib/calls/claim.ts'
import { callsOfMessage } from '#lib/calls/read.ts'
import { append } from '#lib/events/append.ts'
import { type Head, type Lease, lockOwned } from '#lib/events/head.ts'
import { consume, drain } from '#lib/inbox/drain.ts'
import { beginTurn } from '#lib/inbox/owe.ts'
import { startable } from '#lib/inbox/startable.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newId } from '#lib/kernel/ids.ts'
import { addEntry } from '#lib/messages/context.ts'
import { refold } from '#lib/messages/refold.ts'
import { countTokens } from '#lib/models/count-tokens.ts'
import type { LoggedEvent, SessionStatus, TurnError, TurnOutcome } from '#lib/protocol/event.ts'
import type { Notice, UserPart } from '#lib/protocol/message.ts'
import { enqueue } from '#lib/queue/enqueue.ts'

export type Ending = {
  outcome: TurnOutcome
  error?: TurnError
  /** What a stopped step had already said: kept in the context, so that the model knows what the person read. */
  partial?: string
}

/**
 * Ends a turn: its one terminal event, and what comes next, in the caller's transaction (the head is locked). If
 * something else can start (a queued message, an answer), the next turn begins at once and `true` is returned: the
 * owner goes on. Otherwise the owner lets go: lock, check, look, and only then clear (design 3 "release").
 */
export async function endTurn(ctx: Ctx, head: Head, ending: Ending): Promise<boolean> {
  const turnId = head.turnId
  if (turnId === null) return release(ctx, head)
  const [turn] = await ctx.sql<{ messageId: string | null; begun: number; committed: number }[]>`
    update turns set ended_at = clock_timestamp(), outcome = ${ending.outcome}, begun = committed, retry_at = null,
      error = ${ending.error === undefined ? null : json(ending.error)}::text::jsonb
    where id = ${turnId} returning message_id as "messageId", begun, committed`
  const stopped = ending.outcome === 'cancelled' || ending.outcome === 'interrupted'
  if (stopped) await stopOwnCalls(ctx, head, ending.outcome)
  if (stopped) await keepUndrained(ctx, head, turnId)
  const messageId = turn?.messageId ?? null
  if (messageId !== null) await closeMessage(ctx, head, messageId, turnId, ending)

  const status = await statusAfter(ctx, head, ending)
  await ctx.sql`
    with moved as (
      update heads set turn_id = null, cancel_requested = null where session_key = ${head.sessionKey}
    )
    update sessions set status = ${status}, retry_at = null, active_at = clock_timestamp(),
      error = ${status === 'failed' && ending.error !== undefined ? json(ending.error) : null}::text::jsonb
    where key = ${head.sessionKey}`
  head.turnId = null
  head.status = status
  await append(ctx, head, [
    { type: 'status', status, turnId, outcome: ending.outcome, ...(ending.error === undefined ? {} : { error: ending.error }) }
  ])
  return release(ctx, head)
}

/** `endTurn` for the owner of the session. */
export const endOwnTurn = (ctx: Ctx, lease: Lease, ending: Ending): Promise<boolean> =>
  inTransaction(ctx, async tx => endTurn(tx, await lockOwned(tx, lease), ending))

/**
 * A turn whose model call failed in a way that passes: it stays on the head (the session is busy), says when it will
 * try again, and nothing is held in memory meanwhile. The retry job, or "Retry now", puts the item that goes on.
 */
export async function waitForRetry(ctx: Ctx, lease: Lease, error: TurnError, seconds: number): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockOwned(tx, lease)
    const turnId = head.turnId
    if (turnId === null) return
    const [turn] = await tx.sql<{ messageId: string | null; retryAt: string }[]>`
      update turns set attempt = attempt + 1, begun = committed, error = ${json(error)}::text::jsonb,
        retry_at = clock_timestamp() + make_interval(secs => ${seconds})
      where id = ${turnId} returning message_id as "messageId", retry_at as "retryAt"`
    if (turn === undefined) return
    const retryAt = new Date(turn.retryAt).toISOString()
    if (turn.messageId !== null) {
      const notice: Notice = { kind: 'failed', ...error, retryAt, turnId }
      await append(tx, head, dropStep(turn.messageId, turnId, notice))
      await refold(tx, head, turn.messageId, await callsOfMessage(tx, head.sessionKey, turn.messageId))
    }
    await append(tx, head, [{ type: 'status', status: 'failed', turnId, error, retryAt }])
    await tx.sql`
      with let_go as (update heads set owner = null, owed = 0 where session_key = ${head.sessionKey})
      update sessions set status = 'failed', error = ${json(error)}::text::jsonb, retry_at = ${retryAt}::timestamptz
      where key = ${head.sessionKey}`
    await enqueue(tx, 'retry', { sessionKey: head.sessionKey, turnId }, { key: `retry:${turnId}`, runAt: retryAt })
  })
}

/** Lets go of a session whose turn still waits for its retry, after something else was done for it. */
export async function letGoWaiting(ctx: Ctx, lease: Lease): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockOwned(tx, lease)
    await tx.sql`update heads set owner = null, owed = 0 where session_key = ${head.sessionKey}`
    await tx.sql`update sessions set status = 'failed' where key = ${head.sessionKey}`
  })
}

/** Lets go if nothing can start; else the next turn begins and the owner (or the next wake) goes on. */
async function release(ctx: Ctx, head: Head): Promise<boolean> {
  if (await startable(ctx, head)) {
    if (head.turnId === null) await beginTurn(ctx, head)
    await ctx.sql`update heads set owed = 1 where session_key = ${head.sessionKey}`
    return true
  }
  await ctx.sql`update heads set owner = null, owed = 0 where session_key = ${head.sessionKey}`
  head.owner = null
  return false
}

/** Calls of ours that a stop cuts short: definite answers for the model. Calls that wait for somebody stay open, and
 * so does what was approved, when the stop only makes room for another message. */
async function stopOwnCalls(ctx: Ctx, head: Head, outcome: TurnOutcome): Promise<void> {
  const cut = await ctx.sql<{ toolCallId: string; claimed: boolean }[]>`
    select tool_call_id as "toolCallId", claimed_at is not null as claimed from calls
    where session_key = ${head.sessionKey} and result is null and (
      claimed_at is not null or (kind = 'server' and state = 'open') or (state = 'approved' and ${outcome === 'cancelled'}))
    order by tool_call_id for update`
  for (const { toolCallId, claimed } of cut) {
    const text = claimed ? 'The run was stopped while this ran. Its outcome is unknown.' : 'Not run: the run was stopped first.'
    await finish(ctx, head, toolCallId, { type: 'error', text })
  }
}

/** A message whose turn was stopped before its first step stays in the conversation: the next turn sees it. */
async function keepUndrained(ctx: Ctx, head: Head, turnId: string): Promise<void> {
  const { messages } = await drain(ctx, head, { firstStep: true })
  const own = messages.filter(item => item.mode === 'start' || item.mode === 'steer')
  for (const item of own) {
    const parts = (item.payload.parts ?? []) as UserPart[]
    const tokens = countTokens(JSON.stringify(parts))
    await addEntry(ctx, head, { kind: 'user', turnId, ...(item.messageId ? { messageId: item.messageId } : {}), payload: { parts }, tokens })
  }
  await consume(ctx, own)
}

/** The last words of a turn in its message: what went wrong, or that it was stopped. */
async function closeMessage(ctx: Ctx, head: Head, messageId: string, turnId: string, ending: Ending): Promise<void> {
  const chunks: LoggedEvent[] = []
  const write = (chunk: Extract<LoggedEvent, { type: 'chunk' }>['chunk']) => chunks.push({ type: 'chunk', messageId, turnId, chunk })
  if (ending.outcome === 'failed' && ending.error !== undefined) {
    chunks.push(...dropStep(messageId, turnId, { kind: 'failed', ...ending.error, turnId }))
  }
  if (ending.outcome === 'cancelled' || ending.outcome === 'interrupted') {
    if (ending.partial !== undefined && ending.partial.trim() !== '') {
      const content = [{ type: 'text', text: ending.partial }]
      await addEntry(ctx, head, { kind: 'step', turnId, messageId, payload: { content, callIds: [] }, tokens: countTokens(ending.partial) })
    }
    // Also what keeps a stop a stop: results that came in before it do not start a step by themselves any more.
    if (ending.outcome === 'cancelled' || ending.partial)
      await addEntry(ctx, head, { kind: 'note', turnId, payload: { text: 'The person stopped you here.' }, tokens: 10 })
    const by = ending.outcome === 'interrupted' ? 'interrupt' : 'person'
    write({ type: 'data-notice', id: newId('notice'), data: { kind: 'stopped', by } })
    write({ type: 'finish-step' })
  }
  if (ending.outcome !== 'parked') write({ type: 'finish' })
  await append(ctx, head, chunks)
  const done = ending.outcome !== 'parked'
  await refold(ctx, head, messageId, await callsOfMessage(ctx, head.sessionKey, messageId), { done })
}

/** A failed step leaves no half sentence: its parts are dropped and the reason stands instead. */
const dropStep = (messageId: string, turnId: string, notice: Notice): LoggedEvent[] => [
  { type: 'chunk', messageId, turnId, chunk: { type: 'reset-step' } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'data-notice', id: `notice_${turnId}`, data: notice } },
  { type: 'chunk', messageId, turnId, chunk: { type: 'finish-step' } }
]

async function statusAfter(ctx: Ctx, head: Head, ending: Ending): Promise<SessionStatus> {
  if (ending.outcome === 'failed') return 'failed'
  const [row] = await ctx.sql<{ waits: boolean }[]>`
    select exists (select from calls where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server') as waits`
  return row?.waits ? 'parked' : 'idle'
}
