import type { Ctx } from '#lib/kernel/ctx.ts'

/** The call to which an audit entry of a grant refers. */
type GrantCall = {
  workspaceId: string
  sessionId: string
  messageId: string
  toolCallId: string
  toolName: string
}

/** Writes an audit entry: an approval was remembered, let a call pass, or was revoked. */
export const recordGrant = (
  tx: Ctx,
  { workspaceId, sessionId, messageId, toolCallId, toolName }: GrantCall,
  by: { action: 'grant.made' | 'grant.revoked' | 'call.granted'; actor: string; credential: string }
) => tx.sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
  values (${workspaceId}, ${sessionId}, ${by.action}, ${by.actor}, ${by.credential}, ${messageId}, ${toolCallId},
    ${toolName}, clock_timestamp())`
