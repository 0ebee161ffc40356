import { ApiError } from '@waystation/base/api-error.ts'
import type { LoggedEvent, SessionStatus } from '@waystation/protocol/session/event.ts'
import type { TakenOut } from '@waystation/protocol/session/turn-action.ts'
import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { cancelSilently } from '#lib/engine/calls/cancel.ts'
import { storeResult } from '#lib/engine/calls/claim.ts'
import { hasPendingCall } from '#lib/engine/calls/read-calls.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { auditTurn } from './audit-turn.ts'
import { lastWords } from './last-words.ts'
import { removeEntries } from './remove-entries.ts'

type Range = {
  /** Positions: from this one up to, but not including, `to`. Null removes to the end. */
  from: number
  to: number | null
  why: TakenOut
  /** True to cancel pending calls in the range. */
  calls: boolean
}

/**
 * Removes messages from the conversation and from the model's context, in the same transaction. The log only grows: an
 * event records the removal, its reason and its author. Pending calls in the range are cancelled if `calls` is set, and
 * otherwise throw `CONFLICT` (docs/concepts/engine.md#open-calls). Remaining calls keep their late answers, and queued
 * messages stay queued. Throws `SESSION_BUSY` during a turn. Needs the session's lock.
 *
 * @returns the IDs of the removed messages, in order
 */
export async function removeMessages(
  tx: Ctx,
  session: LockedSession,
  { from, to, why, calls }: Range
): Promise<string[]> {
  if (session.turnId !== null)
    throw new ApiError(
      'SESSION_BUSY',
      'The agent is working or about to retry. Stop it or wait until it is done, then try again.'
    )
  const removed = await tx.sql<{ id: string; role: string; senderId: string | null }[]>`
    select id, role, sender ->> 'id' as sender_id from messages
    where session_key = ${session.sessionKey} and pos >= ${from} and (${to}::bigint is null or pos < ${to})
      and not message -> 'metadata' ? 'queued' order by pos`
  checkOwn(tx, removed)
  const ids = removed.map(({ id }) => id)
  await endCalls(tx, session, ids, calls)
  await removeEntries(tx, session, ids)
  await tx.sql`
    delete from inbox where session_key = ${session.sessionKey} and consumed_at is null and (
      message_id = any(${ids}) or (kind = 'yield' and ${to === null})
      or tool_call_id in (
        select tool_call_id from calls where session_key = ${session.sessionKey} and message_id = any(${ids})))`
  await tx.sql`delete from messages where session_key = ${session.sessionKey} and id = any(${ids})`
  const event: LoggedEvent = { type: 'messages-taken-out', messageIds: ids, why, by: tx.actor.name }
  append(tx, session, [event, ...(await updateStatus(tx, session, to === null))])
  const [first] = ids
  if (first !== undefined) await auditTurn(tx, session, `turn.${why}`, first)
  return ids
}

/** Throws `FORBIDDEN` if an end user would remove another user's message. */
function checkOwn(tx: Ctx, removed: readonly { role: string; senderId: string | null }[]): void {
  if (tx.actor.kind !== 'subject') return
  const { id } = identityOf(tx.actor)
  if (removed.some(({ role, senderId }) => role === 'user' && senderId !== id))
    throw new ApiError(
      'FORBIDDEN',
      'Someone else has written in this conversation since then. Only members of the workspace can undo that.'
    )
}

/** Settles all open calls of these messages: cancels pending ones, and marks server calls as not run. */
async function endCalls(
  tx: Ctx,
  session: LockedSession,
  ids: readonly string[],
  mayCancel: boolean
): Promise<void> {
  const unsettled = await tx.sql<CallRow[]>`
    select ${callColumns(tx.sql)} from calls
    where session_key = ${session.sessionKey} and message_id = any(${ids as string[]}) and (result is null or state = 'open')
    order by tool_call_id for update`
  const pending = unsettled.filter(({ state, kind }) => state === 'open' && kind !== 'server')
  if (pending.length > 0 && !mayCancel)
    throw new ApiError(
      'CONFLICT',
      pending.length === 1
        ? 'A request in this part of the conversation is still pending. Answer or cancel it first, or send "calls": true to cancel it too.'
        : `${pending.length} requests in this part of the conversation are still pending. Answer or cancel them first, or send "calls": true to cancel them too.`
    )
  await cancelSilently(tx, session, pending)
  for (const { toolCallId } of unsettled.filter(call => !pending.includes(call)))
    await storeResult(tx, session, toolCallId, {
      type: 'error',
      text: 'Not run: its turn was removed first.'
    })
}

/** Updates the session's status after the removal. A failure that was removed is no longer its status. */
async function updateStatus(tx: Ctx, session: LockedSession, atEnd: boolean): Promise<LoggedEvent[]> {
  const [remaining] = await tx.sql<{ waits: boolean }[]>`
    select ${hasPendingCall(tx, session.sessionKey)} as waits`
  const failed = session.status === 'failed' && !atEnd
  const status: SessionStatus = failed ? 'failed' : remaining?.waits ? 'parked' : 'idle'
  await tx.sql`
    update sessions set status = ${status}, active_at = clock_timestamp(), snippet = ${await lastWords(tx, session.sessionKey)},
      error = case when ${failed} then error end
    where key = ${session.sessionKey}`
  if (status === session.status) return []
  session.status = status
  return [{ type: 'status', status }]
}
