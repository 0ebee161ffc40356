import type { Call } from '@waystation/protocol/call/call.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRow, callColumns, wireCall } from './call-row.ts'

/** Returns an SQL condition: the session has a call that waits for a person or another system. */
export const hasPendingCall = ({ sql }: Ctx, sessionKey: number) => sql`exists (
  select from calls where session_key = ${sessionKey} and result is null and state = 'open' and kind <> 'server')`

/** Returns the calls of one message, oldest first. */
export async function callsOfMessage(ctx: Ctx, sessionKey: number, messageId: string): Promise<Call[]> {
  const rows = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls where session_key = ${sessionKey} and message_id = ${messageId} order by since`
  return rows.map(wireCall)
}
