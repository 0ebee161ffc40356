import type { AuditAction } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** An act of an external agent with a call. `credential` is its name in the log. */
type Entry = {
  action: Extract<AuditAction, 'call.opened' | 'account.used'>
  workspaceId: string
  sessionId: string
  agentName: string
  credential: string
  messageId: string
  toolCallId: string
  toolName: string
}

/** Adds an act of an external agent with a call to the audit log. */
export const auditCall = (
  { sql }: Ctx,
  { action, workspaceId, sessionId, agentName, credential, messageId, toolCallId, toolName }: Entry
) => sql`
  insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
  values (${workspaceId}, ${sessionId}, ${action}, ${agentName}, ${credential}, ${messageId}, ${toolCallId}, ${toolName}, clock_timestamp())`
