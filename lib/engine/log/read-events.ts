import type { LoggedEvent, SessionEvent } from '@waystation/protocol/session/event.ts'
import type { Sql } from '#db/client.ts'

/** An event as it is stored. */
export type EventRow = {
  sessionKey: number
  seq: number
  type: string
  payload: Record<string, unknown>
  at: string
}

/**
 * Converts a row to the event that clients receive. Unknown types are passed on, because a newer server may
 * have written them.
 */
export const wireEvent = ({ seq, at, type, payload }: EventRow): SessionEvent =>
  ({ ...payload, type, seq, at }) as LoggedEvent & { seq: number; at: string }

/** Returns the events of one session after a cursor, oldest first, at most `limit`. */
export const eventsAfter = (
  sql: Sql,
  sessionKey: number,
  after: number,
  limit: number
): Promise<EventRow[]> =>
  sql<EventRow[]>`
    select session_key, seq, type, payload, at from events
    where session_key = ${sessionKey} and seq > ${after} order by seq limit ${limit}`

/**
 * Tells whether a reader can continue after this cursor (docs/concepts/engine.md#events). It cannot if the
 * cursor is above the head, below the oldest available event, or inside a compacted range; it then gets a
 * `reset`. The cursor 0 is always readable. Ranges do not overlap, so only the next event can contain the
 * cursor.
 */
export async function isReadable(sql: Sql, sessionKey: number, after: number): Promise<boolean> {
  if (after === 0) return true
  const [row] = await sql<{ readable: boolean }[]>`
    select ${after} <= h.seq and ${after} >= s.floor and not coalesce((select e.from_seq <= ${after} from events e
      where e.session_key = h.session_key and e.seq > ${after} order by e.seq limit 1), false) as readable
    from heads h join sessions s on s.key = h.session_key where h.session_key = ${sessionKey}`
  return row?.readable ?? false
}
