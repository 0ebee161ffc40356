import type { LoggedEvent } from '@waystation/protocol/session/event.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { LockedSession } from './session-lock.ts'

/**
 * Appends events to the log and returns the `seq` of the last one (docs/concepts/engine.md#append-verb).
 * Needs no lease. Notifies readers after the commit. `session.seq` increases before the statement completes,
 * which the lock makes safe, so statements that need the `seq` can be sent along with it. Requires the
 * session's lock.
 */
export async function append(
  ctx: Ctx,
  session: LockedSession,
  events: readonly LoggedEvent[]
): Promise<number> {
  if (events.length === 0) return session.seq
  const before = session.seq
  session.seq += events.length
  if (!session.notifiesReaders) ctx.afterCommit(() => ctx.ports.notify(session.sessionKey))
  session.notifiesReaders = true
  await ctx.sql`
    with moved as (
      update heads set seq = seq + ${events.length} where session_key = ${session.sessionKey}
    )
    insert into events (session_key, seq, type, message_id, turn_id, payload, at)
    select ${session.sessionKey}, ${before} + e.n, e.type, e.message_id, e.turn_id, e.payload, clock_timestamp()
    from json_to_recordset(${events.map((event, i) => eventRow(event, i + 1))}::json)
      as e(n int, type text, message_id text, turn_id text, payload json)`
  return before + events.length
}

/** Returns an event's columns. `message_id` and `turn_id` are also columns because queries filter by them. */
export function eventRow(event: LoggedEvent, n: number) {
  const { type, ...payload } = event
  const messageId =
    'messageId' in event ? event.messageId : event.type === 'message' ? event.message.id : null
  return { n, type, message_id: messageId, turn_id: 'turnId' in event ? event.turnId : null, payload }
}
