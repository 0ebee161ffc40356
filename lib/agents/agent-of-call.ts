import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns the ID of the agent that made a call. The session can have been handed to another agent since (003-11). */
export async function agentOfCall(ctx: Ctx, sessionKey: number, toolCallId: string): Promise<string> {
  const [row] = await ctx.sql<{ agentId: string }[]>`
    select coalesce(x.payload ->> 'agentId', s.agent_id) as agent_id
    from calls c join sessions s on s.key = c.session_key
      left join context x on x.session_key = c.session_key and x.id = c.context_id
    where c.session_key = ${sessionKey} and c.tool_call_id = ${toolCallId}`
  if (row === undefined) throw new Error(`Session ${sessionKey} has no call ${toolCallId}.`)
  return row.agentId
}
