import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import type { AuditEntry } from '#lib/protocol/workspace/audit.ts'

/** Notes for the workspace's owners what somebody did to a turn of a session: it stays when the session is deleted. */
export async function noteTurn(
  tx: Ctx,
  head: LockedSession,
  action: AuditEntry['action'],
  messageId: string
): Promise<void> {
  await tx.sql`
    insert into audit (workspace_id, session_id, action, actor, credential, message_id, at)
    values (${head.workspaceId}, ${head.sessionId}, ${action}, ${tx.actor.name}, ${identityOf(tx.actor).id}, ${messageId},
      clock_timestamp())`
}
