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

/** An out-of-band message as it is stored; times are text as the driver gives them. */
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

/** The columns of an OobRow, for a `select` or a `returning`. */
export const oobColumns = (sql: Sql) => sql`
  id, source, source_id, priority, content, metadata, status, queued_at,
  visible_at, approved_by, injected_at, acknowledged_at,
  cancelled_at, expires_at, effect, message_id`

/** As everybody sees it. */
export function wireOob(row: OobRow): OutOfBand {
  const { metadata, ...told } = row
  const wire = { ...told, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
  return Object.fromEntries(
    Object.entries(wire).filter(([, value]) => value !== null && value !== undefined)
  ) as OutOfBand
}

/** Those of a session by their IDs. */
export const oobOf = async (tx: Ctx, head: LockedSession, ids: readonly string[]): Promise<OobRow[]> =>
  ids.length === 0
    ? []
    : tx.sql<OobRow[]>`
        select ${oobColumns(tx.sql)} from out_of_band where session_key = ${head.sessionKey} and id = any(${[...ids]})`

/** How many are shown at most of those that the agent never received, in a page of messages: the newest. */
const mostClosed = 200

/** A page of messages: their IDs, when the first one came unless nothing came before it, and the message behind the page. */
export type OobPage = { ids: readonly string[]; from?: string | undefined; before?: string | undefined }

/**
 * What a session's people see of them beside a page of messages: those that wait, those that these messages tell of, and those
 * that were sent meanwhile and never received, since they expired or were removed.
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
      order by queued_at desc limit ${mostClosed})
    order by queued_at, id`
  return rows.map(wireOob)
}
