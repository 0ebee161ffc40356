import type {
  OobMetadata,
  OobPriority,
  OobSource,
  OobStatus,
  OutOfBand
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { Sql } from '#db/client.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** An out-of-band message as it is stored. Times are ISO 8601 text. */
export type OobRow = {
  id: string
  sessionId: string
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
  cancelledBy: string | null
  expiresAt: string | null
  effect: string | null
  messageId: string | null
}

/** Returns the columns of an `OobRow`, for a `select` or a `returning`. */
export const oobColumns = (sql: Sql) => sql`
  id, (select s.id from sessions s where s.key = session_key) as session_id, source, source_id, priority,
  content, metadata, status, queued_at, visible_at, approved_by, injected_at, acknowledged_at, cancelled_at,
  cancelled_by, expires_at, effect, message_id`

/** Converts a row to the message that clients receive. */
export function wireOob(row: OobRow): OutOfBand {
  const { metadata, ...fields } = row
  const timestamp = Date.parse(row.queuedAt)
  const wire = { ...fields, timestamp, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
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
