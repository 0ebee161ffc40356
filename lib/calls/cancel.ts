import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type CallRow, callColumns } from './call-row.ts'
import { settle } from './settle.ts'

/** Settles every open call that waits for somebody as cancelled, because the caller said so explicitly (design 2.6). */
export async function cancelCalls(ctx: Ctx, head: Head): Promise<void> {
  const open = await ctx.sql<CallRow[]>`
    select ${callColumns(ctx.sql)} from calls
    where session_key = ${head.sessionKey} and state = 'open' and kind <> 'server' order by tool_call_id for update`
  for (const call of open) {
    await settle(ctx, head, call, {
      state: 'cancelled',
      result: { type: 'error', text: `Cancelled by ${ctx.actor.name}. Do not ask again unless told to.` },
      answeredBy: ctx.actor.name,
      via: 'cancel'
    })
  }
}
