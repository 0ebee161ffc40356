import type { LoggedEvent } from '@waystation/protocol/session/event.ts'
import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { wireEvent } from './read-events.ts'
import type { LockedSession } from './session-lock.ts'
import { eventRow, type RowChanges, type Unsaved } from './unsaved.ts'

/**
 * Appends events to the log and returns the `seq` of the last one (docs/concepts/engine.md#append-verb).
 * Needs no lease. They are written at the end of the transaction, and readers get them after the commit. Requires
 * the session's lock.
 */
export function append(ctx: Ctx, session: LockedSession, events: readonly LoggedEvent[]): number {
  // Readers must get what they would read from the database.
  for (const event of storable(events) as LoggedEvent[])
    unsavedOf(ctx, session).events.push(eventRow(event, ++session.seq))
  return session.seq
}

/**
 * Changes fields of a locked session. They are written at the end of the transaction. A statement that reads them before
 * needs `ctx.flush`. Requires the session's lock.
 */
export function change(ctx: Ctx, session: LockedSession, changes: Partial<Head> & RowChanges): void {
  const { row: unsaved } = unsavedOf(ctx, session)
  // The fields of `heads` are always written, so only the others are noted.
  const { turnId, cancelRequested, owner, epoch, hasWork, tokens = 0, ...row } = changes
  for (const [name, value] of Object.entries(changes))
    if (name in session) Object.assign(session, { [name]: value })
  Object.assign(unsaved, row, tokens === 0 ? {} : { tokens: (unsaved.tokens ?? 0) + tokens })
}

type Head = Pick<LockedSession, 'turnId' | 'cancelRequested' | 'owner' | 'epoch' | 'hasWork'>

function unsavedOf(ctx: Ctx, session: LockedSession): Unsaved {
  if (session.unsaved === undefined) ctx.beforeCommit(() => save(ctx, session))
  session.unsaved ??= { events: [], row: {} }
  return session.unsaved
}

/** Writes what is unsaved, in one statement: a hot row is then written once per transaction. */
async function save(ctx: Ctx, session: LockedSession): Promise<void> {
  const { sessionKey } = session
  const { events, row } = unsavedOf(ctx, session)
  session.unsaved = undefined
  const { error, retryAt, snippet, isActive = false, tokens = 0 } = row
  const [written] = await ctx.sql<{ at: string }[]>`
    with head as (
      update heads set seq = ${session.seq}, turn_id = ${session.turnId}, cancel_requested = ${session.cancelRequested},
        owner = ${session.owner}, epoch = ${session.epoch}, has_work = ${session.hasWork}
      where session_key = ${sessionKey}
    ), listed as (
      update sessions set status = ${session.status}, title = ${session.title},
        error = case when ${error !== undefined} then ${error ?? null}::jsonb else error end,
        retry_at = case when ${retryAt !== undefined} then ${retryAt ?? null}::timestamptz else retry_at end,
        snippet = coalesce(${snippet ?? null}, snippet), context_tokens = context_tokens + ${tokens},
        active_at = case when ${isActive} then clock_timestamp() else active_at end
      where key = ${sessionKey} and ${Object.keys(row).length > 0}
    )
    insert into events (session_key, seq, type, message_id, turn_id, payload, at)
    select ${sessionKey}, e.n, e.type, e.message_id, e.turn_id, e.payload, now.at
    from (select clock_timestamp() as at) now, json_to_recordset(${events}::json)
      as e(n bigint, type text, message_id text, turn_id text, payload json)
    returning at`.execute()
  if (written === undefined) return
  if (session.written.length === 0) ctx.afterCommit(() => ctx.ports.notify(sessionKey, session.written))
  for (const { n, type, payload } of events)
    session.written.push(wireEvent({ sessionKey, seq: n, type, payload, at: written.at }))
}
