import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type InWorkspace = { workspaceId: string; agentId: string }

/**
 * Deletes the snapshots of agents that no session uses (decision 064), a week after they were made. The
 * newest of each agent stays, so that no number is given twice. Runs every minute.
 */
export async function deleteSnapshots(ctx: Ctx): Promise<void> {
  const due = await ctx.sql<InWorkspace[]>`
    select distinct r.workspace_id, r.agent_id from agent_revisions r where ${isUnused(ctx)} limit 100`
  for (const { workspaceId, agentId } of due)
    await inTransaction(ctx, async ({ sql }) => {
      // A session that is being created with the snapshot holds the same lock.
      await sql`select from agents where workspace_id = ${workspaceId} and id = ${agentId} for update`
      await sql`
        delete from agent_revisions r
        where r.workspace_id = ${workspaceId} and r.agent_id = ${agentId} and ${isUnused({ sql })}`
    })
}

/** A trial that switched to another snapshot still needs the earlier one, for the calls of its earlier turns. */
const isUnused = ({ sql }: Pick<Ctx, 'sql'>) => sql`
  r.revision < 0 and r.saved_at < clock_timestamp() - interval '7 days'
  and exists (select from agent_revisions n
    where n.workspace_id = r.workspace_id and n.agent_id = r.agent_id and n.revision < r.revision)
  and not exists (
    select from sessions s where s.workspace_id = r.workspace_id and s.agent_id = r.agent_id
      and (s.pinned_revision = r.revision
        or s.trial and exists (select from turns t where t.session_key = s.key and r.revision = any(t.revisions)))
      and (s.trial or s.pinned_revision < 0))`
