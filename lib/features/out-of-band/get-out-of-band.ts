import { notFound } from '@waystation/base/api-error.ts'
import type { InOob, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type OobRow, oobColumns, wireOob } from '#lib/engine/inbox/out-of-band-row.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns an out-of-band message with its receipts. Throws `NOT_FOUND`. */
export async function getOutOfBand(ctx: Ctx, { sessionId, oobId }: InOob): Promise<OutOfBand> {
  const key = await sessionKeyOf(ctx, sessionId)
  const [row] = await ctx.sql<OobRow[]>`
    select ${oobColumns(ctx.sql)} from out_of_band where session_key = ${key} and id = ${oobId}`
  if (row === undefined) throw notFound('out-of-band message', oobId)
  return wireOob(row)
}
