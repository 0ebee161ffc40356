import type { DiscardDraft, DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { checkVersion, draftStateOf, lockAgent } from './draft-state.ts'
import { clearedDraft } from './publish-config.ts'

/** Discards an agent's draft, if there is one. Throws `CONFLICT` if the draft was saved again after `version`. */
export function discardDraft(ctx: Ctx, { agentId, version }: DiscardDraft): Promise<DraftState> {
  return inTransaction(ctx, async tx => {
    const before = await lockAgent(tx, agentId)
    checkVersion(before, version)
    if (before.draft === null) return draftStateOf(before)
    const [row = before] = await tx.db
      .update(agents)
      .set(clearedDraft(tx))
      .where(and(eq(agents.workspaceId, tx.workspaceId), eq(agents.id, agentId)))
      .returning()
    return draftStateOf(row)
  })
}
