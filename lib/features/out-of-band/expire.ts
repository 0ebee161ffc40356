import { inTransaction } from '#db/transaction.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { append } from '#lib/engine/log/append.ts'
import { lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { observer } from '#lib/kernel/ports/observer.ts'

/** Expires overdue messages whose job was lost. Runs every minute. */
export async function expireOverdueOob(ctx: Ctx): Promise<void> {
  const sessions = await ctx.sql<{ sessionKey: number }[]>`
    select distinct session_key from out_of_band
    where status in ('visible', 'held') and expires_at <= clock_timestamp() limit 500`
  for (const session of sessions) await expireOob(ctx, session)
}

/** Expires the messages of a session whose time ended before the agent received them (004-14). */
export async function expireOob(ctx: Ctx, { sessionKey }: { sessionKey: number }): Promise<void> {
  await inTransaction(ctx, async tx => {
    const session = await lockSessionByKey(tx, sessionKey)
    if (session === undefined) return
    const rows = await tx.sql<OobRow[]>`
      update out_of_band set status = 'expired'
      where session_key = ${sessionKey} and status in ('visible', 'held') and expires_at <= clock_timestamp()
      returning ${oobColumns(tx.sql)}`
    if (rows.length === 0) return
    await tx.sql`
      delete from inbox where session_key = ${sessionKey} and kind = 'oob' and consumed_at is null
        and item_id = any(${rows.map(({ id }) => id)})`
    const messages = rows.map(wireOob)
    append(
      tx,
      session,
      messages.map(message => ({ type: 'oob', message }))
    )
    tx.afterCommit(() => observer().outOfBand('expired', messages))
  })
}
