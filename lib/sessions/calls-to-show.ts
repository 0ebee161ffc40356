import type { Call } from '@waystation/protocol/call/call.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the calls of these messages and all open calls of the session, oldest first. */
export async function callsToShow(
  ctx: Ctx,
  sessionKey: number,
  messageIds: readonly string[]
): Promise<Call[]> {
  const rows = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${sessionKey} and (state = 'open' or message_id = any(${messageIds as string[]})) order by since`
  return rows.map(wireCall)
}
