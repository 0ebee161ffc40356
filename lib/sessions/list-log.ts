import type { ListLog } from '@waystation/protocol/session/session.ts'
import type { SizedEvent } from '@waystation/protocol/session/sized-event.ts'
import { type EventRow, wireEvent } from '#lib/engine/log/read-events.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Lists a session's events for the inspector, newest first: at most `limit` events before a `seq`. */
export async function listLog(ctx: Ctx, input: ListLog): Promise<{ events: SizedEvent[] }> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const rows = await ctx.sql<(EventRow & { bytes: number })[]>`
    select session_key, seq, type, payload, at, octet_length(payload::text) as bytes from events
    where session_key = ${key} and (${input.before ?? null}::bigint is null or seq < ${input.before ?? null})
    order by seq desc limit ${input.limit}`
  return { events: rows.map(row => ({ ...wireEvent(row), bytes: row.bytes })) }
}
