import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Every minute: the net under the jobs that expire messages at their time, in case one was lost. */
export async function expireLateOob(ctx: Ctx): Promise<void> {
  const late = await ctx.sql<{ sessionKey: number }[]>`
    select distinct session_key from out_of_band
    where status in ('visible', 'held') and expires_at <= clock_timestamp() limit 500`
  for (const session of late) await expireOob(ctx, session)
}

/** The messages of a session whose time is over before the agent received them are not delivered any more (004-14). */
export async function expireOob(ctx: Ctx, { sessionKey }: { sessionKey: number }): Promise<void> {
  await inTransaction(ctx, async tx => {
    const head = await lockSessionByKey(tx, sessionKey)
    if (head === undefined) return
    const rows = await tx.sql<OobRow[]>`
      update out_of_band set status = 'expired'
      where session_key = ${sessionKey} and status in ('visible', 'held') and expires_at <= clock_timestamp()
      returning ${oobColumns(tx.sql)}`
    if (rows.length === 0) return
    await tx.sql`
      delete from inbox where session_key = ${sessionKey} and kind = 'oob' and consumed_at is null
        and item_id = any(${rows.map(({ id }) => id)})`
    await append(
      tx,
      head,
      rows.map(row => ({ type: 'oob', message: wireOob(row) }))
    )
  })
}
