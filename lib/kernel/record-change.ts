import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from './ctx.ts'

/**
 * Writes an audit entry for a change of the workspace outside of sessions, and returns its time. `subject` is what was
 * changed: an entry of the catalog with its version, such as `greet@v2`, or the name of a plugin or secret. Absent: the
 * workspace itself.
 */
export async function recordChange(
  { sql, workspaceId, actor }: Ctx,
  action: AuditEntry['action'],
  subject?: string
): Promise<Date> {
  const [row] = await sql<{ at: string }[]>`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_name, at)
    values (${workspaceId}, '', ${action}, ${actor.name}, ${actor.kind === 'person' ? 'page' : 'api'}, '',
      ${subject ?? null}, clock_timestamp())
    returning at`
  return new Date(row?.at ?? Date.now())
}
