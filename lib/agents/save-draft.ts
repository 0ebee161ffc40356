import { invalid } from '@waystation/base/api-error.ts'
import type { DraftState, SaveDraft } from '@waystation/protocol/agent/agent-revision.ts'
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { checkVersion, draftStateOf, lockAgent } from './draft-state.ts'
import { unknownReferences } from './unknown-references.ts'

/**
 * Saves a configuration as the draft of an agent's next revision, and warns of things that do not exist. No turn uses a
 * draft. Throws `CONFLICT` and saves
 * nothing if the draft was saved again since `version`. `base` can be an older revision, which only matters when the
 * draft is published.
 */
export function saveDraft(ctx: Ctx, { agentId, config, base, version }: SaveDraft): Promise<DraftState> {
  if (config.agentId !== agentId)
    throw invalid(`An agent's ID cannot be changed. Set "config.agentId" to "${agentId}".`, {
      'config.agentId': `must be ${agentId}`
    })
  return inTransaction(ctx, async tx => {
    const before = await lockAgent(tx, agentId)
    const { type } = before.config
    if (type !== config.type)
      throw invalid(
        `You cannot change the type of an agent ("${agentId}" has the type ${type}). Create another agent.`,
        {
          'config.type': `must be ${type}`
        }
      )
    if (base > before.revision)
      throw invalid(
        `The agent "${agentId}" has no version ${base} yet. Set "base" to ${before.revision} or less.`,
        {
          base: `must be ${before.revision} or less`
        }
      )
    checkVersion(before, version)
    const [row = before] = await tx.db
      .update(agents)
      .set({
        draft: config,
        draftBase: base,
        draftVersion: sql`draft_version + 1`,
        draftBy: tx.actor.name,
        draftAt: sql`clock_timestamp()`
      })
      .where(and(eq(agents.workspaceId, tx.workspaceId), eq(agents.id, agentId)))
      .returning()
    const warnings = await unknownReferences(tx, config)
    return { ...draftStateOf(row), ...(warnings.length > 0 && { warnings }) }
  })
}
