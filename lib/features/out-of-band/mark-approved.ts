import { type OobRow, oobColumns } from '#lib/engine/inbox/out-of-band-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Notes who let in what was held; its time to expire stays. The head is locked, and the message is held. */
export async function markApproved(tx: Ctx, head: LockedSession, id: string): Promise<OobRow> {
  const [row] = await tx.sql<OobRow[]>`
    update out_of_band set status = 'visible', visible_at = clock_timestamp(), approved_by = ${tx.actor.name}
    where session_key = ${head.sessionKey} and id = ${id} and status = 'held' returning ${oobColumns(tx.sql)}`
  if (row === undefined) throw new Error(`The out-of-band message ${id} is not held.`)
  return row
}
