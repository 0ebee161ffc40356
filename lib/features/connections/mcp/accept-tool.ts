import { ToolChanged } from '@waystation/protocol/connection/tool-changed.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Accepts the definition that an approved call showed (001-19), for the workspace, in the transaction that
 * settles the call. Later definitions are compared with it. Writes an audit entry.
 */
export async function acceptTool(tx: Ctx, session: LockedSession, call: CallRow): Promise<void> {
  const { data: change } = ToolChanged.safeParse(call.render)
  // Only this server's own calls contain a trusted definition. In other calls the agent chose the content.
  if (change === undefined || call.where !== 'server') return
  if (!(await acceptOffered(tx, { ...change, workspaceId: session.workspaceId, by: call.answeredBy }))) return
  await tx.sql`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
    values (${session.workspaceId}, ${session.sessionId}, 'mcp.tool-changed', ${call.answeredBy}, ${call.via}, ${call.messageId},
      ${call.toolCallId}, ${call.toolName}, clock_timestamp())`
}

/** Marks an offered definition as accepted. Returns false if it is not stored. */
export async function acceptOffered(
  tx: Ctx,
  offer: { workspaceId: string; integration: string; tool: string; digest: string; by: string | null }
): Promise<boolean> {
  const { workspaceId, integration, tool, digest, by } = offer
  const [accepted] = await tx.sql`
    update mcp_tool_versions set accepted_at = clock_timestamp(), accepted_by = ${by}
    where workspace_id = ${workspaceId} and integration = ${integration} and name = ${tool} and digest = ${digest}
    returning digest`
  return accepted !== undefined
}
