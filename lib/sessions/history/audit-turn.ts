import type { AuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'

/** Records an action on a turn in the audit log for the workspace's owners. The record outlives the session. */
export async function auditTurn(
  tx: Ctx,
  session: LockedSession,
  action: AuditEntry['action'],
  messageId: string
): Promise<void> {
  await tx.sql`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
    values (${session.workspaceId}, ${session.sessionId}, ${action}, ${tx.actor.name}, ${identityOf(tx.actor).id}, ${messageId},
      clock_timestamp())`
}
