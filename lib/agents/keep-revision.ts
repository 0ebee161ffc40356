import { agentRevisions, type agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RevisionSource } from '#lib/protocol/agent/agent-revision.ts'

/** How a revision came, and what whoever published it says of it. */
export type Origin = { source?: RevisionSource; note?: string | undefined }

/** Puts an agent's new state beside its earlier ones. Belongs in the transaction that made it. */
export async function keepRevision(
  ctx: Ctx,
  row: typeof agents.$inferSelect,
  { source = 'edit', note }: Origin = {}
): Promise<void> {
  await ctx.db.insert(agentRevisions).values({
    workspaceId: row.workspaceId,
    agentId: row.id,
    revision: row.revision,
    config: row.config,
    savedBy: ctx.actor.name,
    savedAt: row.updatedAt,
    note: note || null,
    source
  })
}
