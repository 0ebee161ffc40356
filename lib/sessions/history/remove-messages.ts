import { type CallRow, callColumns } from '#lib/engine/calls/call-row.ts'
import { cancelSilently } from '#lib/engine/calls/cancel.ts'
import { finish } from '#lib/engine/calls/claim.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { LoggedEvent, SessionStatus } from '#lib/protocol/session/event.ts'
import type { TakenOut } from '#lib/protocol/session/turn-action.ts'
import { noteTurn } from './note-turn.ts'
import { removeEntries } from './remove-entries.ts'

type Range = {
  /** Positions: from this one, up to the other (null: to the end). */
  from: number
  to: number | null
  why: TakenOut
  /** What waits for an answer in it may be cancelled. */
  calls: boolean
}

/**
 * Takes messages out of the conversation: out of what people see and out of what the model is shown, at the same place in
 * the same transaction. The log only grows: it says that they went, why, and by whose hand. What is open in them is
 * cancelled if the caller said so (docs/concepts/engine.md#open-calls), else it refuses the whole; calls that stay keep their late answers. What
 * waits in the queue stays queued. Refused while a turn is on the head. The head is locked.
 *
 * @returns the messages that went, in their order
 */
export async function removeMessages(
  tx: Ctx,
  head: LockedSession,
  { from, to, why, calls }: Range
): Promise<string[]> {
  if (head.turnId !== null)
    throw new Refusal(
      'SESSION_BUSY',
      'The agent is working or about to retry. Stop it or wait until it is done, then try again.'
    )
  const gone = await tx.sql<{ id: string; role: string; senderId: string | null }[]>`
    select id, role, sender ->> 'id' as sender_id from messages
    where session_key = ${head.sessionKey} and pos >= ${from} and (${to}::bigint is null or pos < ${to})
      and not message -> 'metadata' ? 'queued' order by pos`
  checkOwn(tx, gone)
  const ids = gone.map(({ id }) => id)
  await endCalls(tx, head, ids, calls)
  await removeEntries(tx, head, ids)
  await tx.sql`
    delete from inbox where session_key = ${head.sessionKey} and consumed_at is null and (
      message_id = any(${ids}) or (kind = 'yield' and ${to === null})
      or tool_call_id in (
        select tool_call_id from calls where session_key = ${head.sessionKey} and message_id = any(${ids})))`
  await tx.sql`delete from messages where session_key = ${head.sessionKey} and id = any(${ids})`
  const took: LoggedEvent = { type: 'messages-taken-out', messageIds: ids, why, by: tx.actor.name }
  await append(tx, head, [took, ...(await restAfter(tx, head, to === null))])
  const [first] = ids
  if (first !== undefined) await noteTurn(tx, head, `turn.${why}`, first)
  return ids
}

/** An end user undoes what they said themselves, and what came of it; a conversation may have others in it. */
function checkOwn(tx: Ctx, gone: readonly { role: string; senderId: string | null }[]): void {
  if (tx.actor.kind !== 'subject') return
  const { id } = identityOf(tx.actor)
  if (gone.some(({ role, senderId }) => role === 'user' && senderId !== id))
    throw new Refusal(
      'FORBIDDEN',
      'Someone else has written in this conversation since then. Only members of the workspace can undo that.'
    )
}

/** What waits for somebody is cancelled, what our own code had not begun does not run. No call stays without its end. */
async function endCalls(
  tx: Ctx,
  head: LockedSession,
  ids: readonly string[],
  mayCancel: boolean
): Promise<void> {
  const unsettled = await tx.sql<CallRow[]>`
    select ${callColumns(tx.sql)} from calls
    where session_key = ${head.sessionKey} and message_id = any(${ids as string[]}) and (result is null or state = 'open')
    order by tool_call_id for update`
  const waiting = unsettled.filter(({ state, kind }) => state === 'open' && kind !== 'server')
  if (waiting.length > 0 && !mayCancel)
    throw new Refusal(
      'CONFLICT',
      waiting.length === 1
        ? 'A request in this part of the conversation is still pending. Answer or cancel it first, or send "calls": true to cancel it too.'
        : `${waiting.length} requests in this part of the conversation are still pending. Answer or cancel them first, or send "calls": true to cancel them too.`
    )
  await cancelSilently(tx, head, waiting)
  for (const { toolCallId } of unsettled.filter(call => !waiting.includes(call)))
    await finish(tx, head, toolCallId, { type: 'error', text: 'Not run: its turn was removed first.' })
}

/** What the session is once they are gone: a failure that is not there any more is not its status. */
async function restAfter(tx: Ctx, head: LockedSession, atEnd: boolean): Promise<LoggedEvent[]> {
  const [now] = await tx.sql<{ waits: boolean; words: string | null }[]>`
    select exists (
      select from calls where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server') as waits,
      (select jsonb_path_query_first(message -> 'parts', '$[last].text') #>> '{}' from messages
        where session_key = ${head.sessionKey} order by pos desc limit 1) as words`
  const failed = head.status === 'failed' && !atEnd
  const status: SessionStatus = failed ? 'failed' : now?.waits ? 'parked' : 'idle'
  await tx.sql`
    update sessions set status = ${status}, active_at = clock_timestamp(), snippet = ${(now?.words ?? '').trim().slice(0, 160)},
      error = case when ${failed} then error end
    where key = ${head.sessionKey}`
  if (status === head.status) return []
  head.status = status
  return [{ type: 'status', status }]
}
