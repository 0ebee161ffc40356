import type { Sql } from '#db/client.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type {
  OobMetadata,
  OobPriority,
  OobSource,
  OobStatus,
  OutOfBand
} from '#lib/protocol/out-of-band/out-of-band.ts'

/** An out-of-band message as it is stored. Times are ISO 8601 text. */
export type OobRow = {
  id: string
  source: OobSource
  sourceId: string
  priority: OobPriority
  content: string
  metadata: OobMetadata
  status: OobStatus
  queuedAt: string
  visibleAt: string | null
  approvedBy: string | null
  injectedAt: string | null
  acknowledgedAt: string | null
  cancelledAt: string | null
  expiresAt: string | null
  effect: string | null
  messageId: string | null
}

/** Returns the columns of an `OobRow`, for a `select` or a `returning`. */
export const oobColumns = (sql: Sql) => sql`
  id, source, source_id, priority, content, metadata, status, queued_at,
  visible_at, approved_by, injected_at, acknowledged_at,
  cancelled_at, expires_at, effect, message_id`

/** Converts a row to the message that clients receive. */
export function wireOob(row: OobRow): OutOfBand {
  const { metadata, ...fields } = row
  const wire = { ...fields, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
  return Object.fromEntries(
    Object.entries(wire).filter(([, value]) => value !== null && value !== undefined)
  ) as OutOfBand
}

/** Returns a session's out-of-band messages with these IDs. */
export const oobOf = async (tx: Ctx, session: LockedSession, ids: readonly string[]): Promise<OobRow[]> =>
  ids.length === 0
    ? []
    : tx.sql<OobRow[]>`
        select ${oobColumns(tx.sql)} from out_of_band where session_key = ${session.sessionKey} and id = any(${[...ids]})`

/** Maximum number of undelivered messages (expired or removed) per page, newest first. */
const maxClosed = 200

/**
 * A page of the transcript: the IDs of its messages, the time of the first one unless the transcript starts
 * with it, and the ID of the message after the page.
 */
export type OobPage = { ids: readonly string[]; from?: string | undefined; before?: string | undefined }

/**
 * Returns the out-of-band messages to show with a page of the transcript: waiting messages, messages that the
 * page's messages took in, and messages from that period that expired or were removed.
 */
export async function oobToShow({ sql }: Ctx, sessionKey: number, page: OobPage): Promise<OutOfBand[]> {
  const { ids, from = '-infinity', before = null } = page
  const rows = await sql<OobRow[]>`
    (select ${oobColumns(sql)} from out_of_band
      where session_key = ${sessionKey} and (status in ('visible', 'held') or message_id = any(${[...ids]})))
    union all
    (select ${oobColumns(sql)} from out_of_band
      where session_key = ${sessionKey} and status in ('cancelled', 'expired') and queued_at >= ${from}::timestamptz
        and queued_at < coalesce((
          select (message -> 'metadata' ->> 'createdAt')::timestamptz from messages
          where session_key = ${sessionKey} and id = ${before}), 'infinity')
      order by queued_at desc limit ${maxClosed})
    order by queued_at, id`
  return rows.map(wireOob)
}
