import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Locks the workspace's own entries until the end of the transaction. */
export const lockCatalogue = (tx: Ctx): PromiseLike<unknown> => tx.sql`
  select from workspaces where id = ${tx.workspaceId} for no key update`

/**
 * Writes an audit entry for a change of the catalog or of a plugin, and returns its time. `version` is like `greet@v2`,
 * or the plugin's name.
 */
export async function recordChange(tx: Ctx, action: AuditEntry['action'], version: string): Promise<Date> {
  const [row] = await tx.sql<{ at: string }[]>`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, tool_name, at)
    values (${tx.workspaceId}, '', ${action}, ${tx.actor.name},
      ${tx.actor.kind === 'person' ? 'page' : 'api'}, '', ${version}, clock_timestamp())
    returning at`
  return new Date(row?.at ?? Date.now())
}
