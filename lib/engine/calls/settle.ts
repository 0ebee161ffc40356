import type { Identity } from '@waystation/protocol/call/answer-policy.ts'
import type { CallResult, CallState, Via } from '@waystation/protocol/call/call.ts'
import type { Elicited } from '@waystation/protocol/call/elicitation.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import { patchMessage } from '#lib/engine/context/patch-message.ts'
import { put } from '#lib/engine/inbox/put.ts'
import { append, change } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'
import { notifyParent } from './notify-parent.ts'
import { dispatchCall, notifyCall } from './open.ts'
import { hasPendingCall } from './read-calls.ts'

/** How a call ends, and who ended it. */
export type Settlement = {
  state: Exclude<CallState, 'open'>
  /** The result for the model; null if the call was approved and the server has not run it yet. */
  result: CallResult | null
  answeredBy: string
  answerer?: Identity
  /** The authors of text that the answer carries (`brings-words.ts`). */
  saidBy?: readonly Identity[]
  via: Via
  reason?: string
  editedInput?: unknown
  /** All answers to questions that the tool's server has asked so far, including this one. */
  elicited?: Elicited[]
  digest?: string
}

/**
 * A call whose row is locked. `isDue` means that the database's clock is at or past the deadline
 * (docs/concepts/engine.md#deadlines).
 */
export type LockedCall = CallRow & { isDue: boolean }

/**
 * Locks one call; undefined if it does not exist. Requires the session's lock, because the lock order is
 * head, then calls.
 */
export async function lockCall(
  ctx: Ctx,
  session: LockedSession,
  toolCallId: string
): Promise<LockedCall | undefined> {
  const [call] = await ctx.sql<LockedCall[]>`
    select ${callColumns(ctx.sql)}, clock_timestamp() >= deadline as is_due from calls
    where session_key = ${session.sessionKey} and tool_call_id = ${toolCallId} for update`
  return call
}

/**
 * Settles an open call exactly once (docs/concepts/engine.md#settle). Updates the row, shows the result in
 * the message and the log, and puts the answer into the inbox, all in the caller's transaction. If
 * "continue?" is approved at a spending cap, this also raises the cap. Returns undefined if the call is
 * already settled. Requires the session's lock.
 */
export async function settle(
  ctx: Ctx,
  session: LockedSession,
  call: CallRow,
  settlement: Settlement
): Promise<CallRow | undefined> {
  const settled = await settleSilently(ctx, session, call, settlement)
  if (settled === undefined) return undefined
  // The asker of such a call is no turn of this session. `onSettled` sends it the answer.
  if (call.where !== 'asker') await put(ctx, session, { kind: 'answer', toolCallId: call.toolCallId })
  if (session.turnId === null) await setIdle(ctx, session)
  return settled
}

/** Like `settle`, but puts no answer into the inbox. Use it for calls that are removed from the agent's context. */
export async function settleSilently(
  ctx: Ctx,
  session: LockedSession,
  call: CallRow,
  settlement: Settlement
): Promise<CallRow | undefined> {
  const [settled] = await ctx.sql<CallRow[]>`
    update calls set state = ${settlement.state}, settled_at = clock_timestamp(),
      result = ${settlement.result}::jsonb,
      answered_by = ${settlement.answeredBy}, answerer = coalesce(${settlement.answerer ?? null}::jsonb, answerer), via = ${settlement.via}, reason = ${settlement.reason ?? null},
      ${addCallAuthors(ctx, settlement)},
      edited_input = coalesce(${settlement.editedInput ?? null}::jsonb, edited_input),
      elicited = coalesce(${settlement.elicited ?? null}::jsonb, elicited),
      answer_digest = ${settlement.digest ?? null}
    where session_key = ${session.sessionKey} and tool_call_id = ${call.toolCallId} and state = 'open'
    returning ${callColumns(ctx.sql)}`
  if (settled === undefined) return undefined
  await addAuthors(ctx, session.sessionKey, settlement.saidBy ?? [])
  await ctx.ports.calls.onSettled(ctx, session, settled)
  await showCall(ctx, session, settled)
  await notifyCall(ctx, session, 'call.settled', settled)
  // A sub-agent stops once its call is settled, regardless of who settled it.
  if (settled.kind === 'agent') await dispatchCall(ctx, session, settled)
  await notifyParent(ctx, session)
  ctx.afterCommit(() => notifyObserver(session, settled))
  return settled
}

/** Returns the assignment of an `update` that adds these authors to the existing ones. */
export const addCallAuthors = ({ sql }: Ctx, { saidBy = [] }: Pick<Settlement, 'saidBy'>) => sql`
  said_by = nullif(coalesce(said_by, '[]') || ${saidBy}::jsonb, '[]')`

function notifyObserver({ sessionId, agentId }: LockedSession, call: CallRow): void {
  const { toolCallId, toolName, turnId, kind, state } = call
  const [since, settledAt] = [call.since, call.settledAt ?? call.since]
  observer().callSettled({ sessionId, agentId, turnId, toolCallId, toolName, kind, state, since, settledAt })
}

/** Sets a parked session to idle if it has no more open calls and nothing was started. */
async function setIdle(ctx: Ctx, session: LockedSession): Promise<void> {
  if (session.status !== 'parked') return
  const [pending] = await ctx.sql`select where ${hasPendingCall(ctx, session.sessionKey)}`
  if (pending !== undefined) return
  change(ctx, session, { status: 'idle' })
  append(ctx, session, [{ type: 'status', status: 'idle' }])
  await notifyParent(ctx, session)
}

/** Shows a call's current state in its folded message and as an event. Requires the session's lock. */
export async function showCall(ctx: Ctx, session: LockedSession, row: CallRow): Promise<void> {
  const call = wireCall(row)
  await patchMessage(ctx, session, call)
  append(ctx, session, [{ type: 'call', call }])
}
