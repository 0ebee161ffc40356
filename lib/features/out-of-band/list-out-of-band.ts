import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the newest 200 out-of-band messages of a session, newest first, with the times of their receipts. */
export async function listOutOfBand(ctx: Ctx, input: InSession): Promise<{ messages: OutOfBand[] }> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const rows = await ctx.sql<OobRow[]>`
    select ${oobColumns(ctx.sql)} from out_of_band where session_key = ${key} order by queued_at desc, id desc limit 200`
  return { messages: rows.map(wireOob) }
}
