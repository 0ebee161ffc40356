import { type CallRow, callColumns, wireCall } from '#lib/calls/call-row.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type Call, waitsForPerson } from '#lib/protocol/call.ts'
import type { ListWaiting } from '#lib/protocol/session.ts'

/** `title` is the session's; the call's own is `callTitle`. */
export type WaitingCall = Call & { sessionId: string; agentId: string; title: string; callTitle?: string }

/** Every open call of the workspace, nearest deadline first; `mine`: only those a person may answer. */
export async function listWaiting(ctx: Ctx, input: ListWaiting): Promise<{ calls: WaitingCall[] }> {
  const rows = await ctx.sql<(CallRow & { id: string; agentId: string; sessionTitle: string })[]>`
    select c.*, s.id, s.agent_id as "agentId", s.title as "sessionTitle" from (
      select ${callColumns(ctx.sql)} from calls
      where workspace_id = ${ctx.workspaceId} and state = 'open' and kind <> 'server'
    ) c join sessions s on s.key = c."sessionKey"
    where s.deleted_at is null order by c.deadline limit 500`
  const calls = rows.map(row => {
    const { title: callTitle, ...call } = wireCall(row)
    const from = { sessionId: row.id, agentId: row.agentId, title: row.sessionTitle }
    return { ...call, ...from, ...(callTitle === undefined ? {} : { callTitle }) }
  })
  return { calls: input.mine === true ? calls.filter(waitsForPerson) : calls }
}
