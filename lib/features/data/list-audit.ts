import type { AuditPage, ListAudit, ListedAuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

const pageSize = 200

/** Returns the audit entries of the workspace, newest first, including those of deleted sessions. */
export async function listAudit(ctx: Ctx, input: ListAudit): Promise<AuditPage> {
  const { sql } = ctx
  const { sessionId, action, actor, before, limit = pageSize } = input
  // The statement contains only the conditions in use, so that the planner can choose an index.
  const noCondition = sql``
  const conditions = [
    sessionId === undefined ? noCondition : sql`and a.session_id = ${sessionId}`,
    action === undefined ? noCondition : sql`and a.action = ${action}`,
    actor === undefined ? noCondition : sql`and strpos(lower(a.actor), lower(${actor})) > 0`,
    before === undefined ? noCondition : sql`and a.id < ${before}`
  ]
  const rows = await sql<ListedAuditEntry[]>`
    select a.id, a.at, a.session_id, a.action, a.actor, a.credential, a.message_id, a.tool_call_id, a.tool_name,
      a.pattern, s.title as session_title
    from audit a
    left join sessions s on s.workspace_id = a.workspace_id and s.id = a.session_id and s.deleted_at is null
    where a.workspace_id = ${ctx.workspaceId} ${conditions}
    order by a.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  return {
    entries: page,
    nextBefore: rows.length > limit ? (page.at(-1)?.id ?? null) : null
  }
}
