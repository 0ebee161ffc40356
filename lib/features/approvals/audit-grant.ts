import type { Ctx } from '#lib/kernel/ctx.ts'

/** Where something about a grant happened. */
type Place = {
  workspaceId: string
  sessionId: string
  messageId: string
  toolCallId: string
  toolName: string
}

/** Puts it on record that an approval was remembered, let a call pass, or was taken back: whose doing it is, and which grant. */
export const recordGrant = (
  tx: Ctx,
  { workspaceId, sessionId, messageId, toolCallId, toolName }: Place,
  by: { action: 'grant.made' | 'grant.revoked' | 'call.granted'; actor: string; credential: string }
) => tx.sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
  values (${workspaceId}, ${sessionId}, ${by.action}, ${by.actor}, ${by.credential}, ${messageId}, ${toolCallId},
    ${toolName}, clock_timestamp())`
