import { inTransaction } from '#db/transaction.ts'
import { append } from '#lib/engine/log/append.ts'
import { type Lease, lockForLease } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { type OobRow, oobColumns, wireOob } from './out-of-band-row.ts'

/**
 * Stores the effect of an out-of-band message, in the agent's own text (004-3). A later call replaces the
 * effect. Throws `ToolError` if the agent has not received the message.
 */
export async function acknowledgeOob(ctx: Ctx, lease: Lease, id: string, effect: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockForLease(tx, lease)
    const [row] = await tx.sql<OobRow[]>`
      update out_of_band set status = 'acknowledged', acknowledged_at = clock_timestamp(), effect = ${effect}
      where session_key = ${session.sessionKey} and id = ${id} and status in ('injected', 'acknowledged')
      returning ${oobColumns(tx.sql)}`
    if (row === undefined) throw new ToolError(`No out-of-band message "${id}" was delivered to you.`)
    await append(tx, session, [{ type: 'oob', message: wireOob(row) }])
  })
}
