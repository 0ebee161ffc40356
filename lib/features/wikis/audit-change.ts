import type { Ctx } from '#lib/kernel/ctx.ts'

type ChangeCall = { sessionId: string; messageId: string; toolCallId: string; toolName: string }

/** Writes an audit entry: a call changed a wiki, or a user undid the change. */
export const auditChange = (
  { sql, workspaceId }: Ctx,
  { sessionId, messageId, toolCallId, toolName }: ChangeCall,
  by: { action: 'wiki.changed' | 'wiki.undone'; actor: string; credential: string }
) => sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
  values (${workspaceId}, ${sessionId}, ${by.action}, ${by.actor}, ${by.credential}, ${messageId}, ${toolCallId},
    ${toolName}, clock_timestamp())`
