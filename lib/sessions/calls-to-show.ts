import type { Call } from '@waystation/protocol/call/call.ts'
import { type CallRow, callColumns, wireCall } from '#lib/engine/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Returns the calls of these messages and all open calls of the session, oldest first. An open call has no result, so
 * an index finds it. With `or` instead of `union`, Postgres would read all calls of the session.
 */
export async function callsToShow(
  ctx: Ctx,
  sessionKey: number,
  messageIds: readonly string[]
): Promise<Call[]> {
  const rows = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${sessionKey} and tool_call_id in (
      select tool_call_id from calls where session_key = ${sessionKey} and result is null and state = 'open'
      union select tool_call_id from calls where session_key = ${sessionKey} and message_id = any(${messageIds as string[]}))
    order by since`
  return rows.map(wireCall)
}
