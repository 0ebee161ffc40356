import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ToolChanged } from '#lib/protocol/connection/mcp.ts'

/**
 * Accepts the definition that an approved call showed (001-19), for the workspace, in the transaction that settles it; what the
 * server says of its tool by then is held against this one. Who did it is on record (`audit`).
 */
export async function acceptTool(tx: Ctx, head: LockedSession, call: CallRow): Promise<void> {
  const { data: shown } = ToolChanged.safeParse(call.render)
  // Only a call of ours shows what we wrote: others bring the words of their agents.
  if (shown === undefined || call.where !== 'server') return
  if (!(await acceptOffered(tx, { ...shown, workspaceId: head.workspaceId, by: call.answeredBy }))) return
  await tx.sql`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_call_id, tool_name, at)
    values (${head.workspaceId}, ${head.sessionId}, 'mcp.tool-changed', ${call.answeredBy}, ${call.via}, ${call.messageId},
      ${call.toolCallId}, ${call.toolName}, clock_timestamp())`
}

/** Makes a definition that was offered the accepted one. False: it is not there (any more). */
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
