import type { ReplyTarget } from '#lib/features/external-agents/reply-target.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Adds a call of an external agent to the audit log. `credential` is its name in the log. */
export const auditCall = (
  { sql }: Ctx,
  { ctx: { workspaceId }, sessionId, agentName }: ReplyTarget,
  {
    credential,
    messageId,
    toolCallId,
    toolName
  }: { credential: string; messageId: string; toolCallId: string; toolName: string }
) => sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
  values (${workspaceId}, ${sessionId}, 'call.opened', ${agentName}, ${credential}, ${messageId}, ${toolCallId}, ${toolName}, clock_timestamp())`
