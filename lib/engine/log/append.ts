import type { Ctx } from '#lib/kernel/ctx.ts'
import type { LoggedEvent } from '#lib/protocol/session/event.ts'
import type { LockedSession } from './session-lock.ts'

/**
 * Appends events under the head's lock: a verb's way in (docs/concepts/engine.md#append-verb), needing no owner. Returns the
 * seq of the last one; readers are rung after the commit. `head.seq` moves before the statement is answered (the lock
 * makes it certain), so that what needs the seq can be sent along with it.
 */
export async function append(ctx: Ctx, head: LockedSession, events: readonly LoggedEvent[]): Promise<number> {
  if (events.length === 0) return head.seq
  const before = head.seq
  head.seq += events.length
  if (!head.rings) ctx.afterCommit(() => ctx.ports.notify(head.sessionKey))
  head.rings = true
  await ctx.sql`
    with moved as (
      update heads set seq = seq + ${events.length} where session_key = ${head.sessionKey}
    )
    insert into events (session_key, seq, type, message_id, turn_id, payload, at)
    select ${head.sessionKey}, ${before} + e.n, e.type, e.message_id, e.turn_id, e.payload, clock_timestamp()
    from json_to_recordset(${events.map((event, i) => row(event, i + 1))}::json)
      as e(n int, type text, message_id text, turn_id text, payload json)`
  return before + events.length
}

/** An event as its columns: what is looked up by stands beside the payload, not in it. */
export function row(event: LoggedEvent, n: number) {
  const { type, ...payload } = event
  const messageId =
    'messageId' in event ? event.messageId : event.type === 'message' ? event.message.id : null
  return { n, type, message_id: messageId, turn_id: 'turnId' in event ? event.turnId : null, payload }
}
