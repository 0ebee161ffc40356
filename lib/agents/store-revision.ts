import type { RevisionSource } from '@waystation/protocol/agent/agent-revision.ts'
import { agentRevisions, type agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** How a revision came about, and the note of its publisher. */
export type Origin = { source?: RevisionSource; note?: string | undefined }

/** Stores an agent's new state as a revision. Call it in the transaction that changes the agent. */
export async function storeRevision(
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
