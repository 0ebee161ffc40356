import { type OobRow, oobColumns } from '#lib/engine/inbox/out-of-band-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Makes a held message visible and records the approver. Its expiry time stays unchanged. The caller has
 * locked the session and checked that the message is held.
 */
export async function markApproved(tx: Ctx, session: LockedSession, id: string): Promise<OobRow> {
  const [row] = await tx.sql<OobRow[]>`
    update out_of_band set status = 'visible', visible_at = clock_timestamp(), approved_by = ${tx.actor.name}
    where session_key = ${session.sessionKey} and id = ${id} and status = 'held' returning ${oobColumns(tx.sql)}`
  if (row === undefined) throw new Error(`The out-of-band message ${id} is not held.`)
  return row
}
