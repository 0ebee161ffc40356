import type { AuditEntry, AuditPage, ListAudit } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

const pageSize = 200

/** Returns the audit entries of the workspace, newest first, including those of deleted sessions. */
export async function listAudit(ctx: Ctx, { sessionId, before }: ListAudit): Promise<AuditPage> {
  const rows = await ctx.sql<AuditEntry[]>`
    select id, at, session_id, action, actor, credential, message_id,
      tool_call_id, tool_name, pattern from audit
    where workspace_id = ${ctx.workspaceId}
      and (${sessionId ?? null}::text is null or session_id = ${sessionId ?? null})
      and (${before ?? null}::bigint is null or id < ${before ?? null})
    order by id desc limit ${pageSize + 1}`
  const page = rows.slice(0, pageSize)
  return {
    entries: page,
    nextBefore: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null
  }
}
