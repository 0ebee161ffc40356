import { type OobRow, oobColumns, oobOf, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'

/**
 * Removes a message that the agent has not received, and records who did it. Returns false if it is too late.
 * Requires the session's lock.
 */
export async function withdraw(
  tx: Ctx,
  session: LockedSession,
  { id, status }: Pick<OobRow, 'id' | 'status'>
): Promise<boolean> {
  const [removed] = await tx.sql`
    delete from inbox where session_key = ${session.sessionKey} and item_id = ${id} and kind = 'oob'
      and consumed_at is null returning id`
  if (removed === undefined && status !== 'held') return false
  const rows = await tx.sql<OobRow[]>`
    update out_of_band set status = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = ${tx.actor.name}
    where session_key = ${session.sessionKey} and id = ${id} returning ${oobColumns(tx.sql)}`
  const messages = rows.map(wireOob)
  append(
    tx,
    session,
    messages.map(message => ({ type: 'oob', message }))
  )
  tx.afterCommit(() => observer().outOfBand('cancelled', messages))
  return true
}

/**
 * Removes the pending message that this message replaces: a redirect about it, from the same sender (004-17).
 * Otherwise, the agent would receive a correction and then the message that it corrects, if that one is less
 * urgent. Requires the session's lock.
 */
export async function withdrawReplaced(
  tx: Ctx,
  session: LockedSession,
  { source, sourceId, metadata }: Pick<OobRow, 'source' | 'sourceId' | 'metadata'>
): Promise<void> {
  if (metadata.action !== 'redirect' || metadata.relatedTo === undefined) return
  const [replaced] = await oobOf(tx, session, [metadata.relatedTo])
  if (replaced?.source === source && replaced.sourceId === sourceId) await withdraw(tx, session, replaced)
}
