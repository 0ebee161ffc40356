import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Writes an audit entry for a change of the workspace itself, and returns its time. */
export async function recordWorkspace(
  { sql, workspaceId, actor }: Ctx,
  action: AuditEntry['action']
): Promise<string> {
  const [row] = await sql<{ at: string }[]>`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
    values (${workspaceId}, '', ${action}, ${actor.name}, ${actor.kind === 'person' ? 'page' : 'api'}, '',
      clock_timestamp())
    returning at`
  return row!.at
}
