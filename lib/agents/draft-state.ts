import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

export type AgentRow = typeof agents.$inferSelect

/** Locks an agent's row until the end of the transaction, and returns it with its draft. Throws `NOT_FOUND`. */
export async function lockAgent(tx: Ctx, agentId: string): Promise<AgentRow> {
  const [row] = await tx.db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, tx.workspaceId), eq(agents.id, agentId)))
    .for('update')
  if (row === undefined) throw notFound('agent', agentId)
  return row
}

/** Returns the state of an agent's draft from its row. */
export const draftStateOf = (row: AgentRow): DraftState => ({
  draft:
    row.draft === null
      ? null
      : {
          config: row.draft,
          base: row.draftBase ?? row.revision,
          version: row.draftVersion,
          savedBy: row.draftBy ?? '',
          savedAt: (row.draftAt ?? row.updatedAt).toISOString()
        },
  version: row.draftVersion,
  revision: row.revision
})

/** Throws `CONFLICT` if the caller last saw another version of the draft. Without `seen`, it does not check. */
export function checkVersion(row: AgentRow, seen: number | undefined): void {
  if (seen === undefined || seen === row.draftVersion) return
  const by = row.draftBy ?? 'Someone else'
  const message =
    row.draft === null
      ? `${by} has published or discarded the draft of this agent. Reload the agent and make your change again.`
      : `${by} has saved version ${row.draftVersion} of this draft, and your change is based on version ${seen}. Reload the draft and make your change again.`
  throw new ApiError('CONFLICT', message, {
    newest: { version: row.draftVersion, by, at: (row.draftAt ?? row.updatedAt).toISOString() }
  })
}
