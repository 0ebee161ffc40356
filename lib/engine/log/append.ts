import type { LoggedEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { wireEvent } from './read-events.ts'
import type { LockedSession } from './session-lock.ts'

/**
 * Appends events to the log and returns the `seq` of the last one (docs/concepts/engine.md#append-verb).
 * Needs no lease. Gives them to the readers after the commit. `session.seq` increases before the statement
 * completes, which the lock makes safe, so statements that need the `seq` can be sent along with it. Requires
 * the session's lock.
 */
export async function append(
  ctx: Ctx,
  session: LockedSession,
  events: readonly LoggedEvent[]
): Promise<number> {
  if (events.length === 0) return session.seq
  const { sessionKey, seq: before } = session
  session.seq += events.length
  if (session.appended === undefined) {
    const appended: SessionEvent[] = []
    session.appended = appended
    ctx.afterCommit(() => ctx.ports.notify(sessionKey, appended))
  }
  // Readers must get what they would read from the database.
  const rows = (storable(events) as LoggedEvent[]).map((event, i) => eventRow(event, i + 1))
  const [written] = await ctx.sql<{ at: string }[]>`
    with moved as (
      update heads set seq = seq + ${rows.length} where session_key = ${sessionKey} returning clock_timestamp() as at
    )
    insert into events (session_key, seq, type, message_id, turn_id, payload, at)
    select ${sessionKey}, ${before} + e.n, e.type, e.message_id, e.turn_id, e.payload, moved.at
    from moved, json_to_recordset(${rows}::json)
      as e(n int, type text, message_id text, turn_id text, payload json)
    returning at`
  if (written === undefined) throw new Error(`Session ${sessionKey} has no head.`)
  const { at } = written
  for (const { n, type, payload } of rows)
    session.appended.push(wireEvent({ sessionKey, seq: before + n, type, payload, at }))
  return before + rows.length
}

/** Returns an event's columns. `message_id` and `turn_id` are also columns because queries filter by them. */
export function eventRow(event: LoggedEvent, n: number) {
  const { type, ...payload } = event
  const messageId =
    'messageId' in event ? event.messageId : event.type === 'message' ? event.message.id : null
  return { n, type, message_id: messageId, turn_id: 'turnId' in event ? event.turnId : null, payload }
}
