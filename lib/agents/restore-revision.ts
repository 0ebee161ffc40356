import { invalid } from '@waystation/base/api-error.ts'
import type { Agent } from '@waystation/protocol/agent/agent.ts'
import type { RestoreRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { lockAgent } from './draft-state.ts'
import { storedRevision } from './get-revision.ts'
import { publishConfig, supersededError } from './publish-config.ts'

/**
 * Publishes an earlier configuration as a new revision. The history and the draft do not change. Throws `CONFLICT` if
 * another revision was published since `base`.
 */
export function restoreRevision(
  ctx: Ctx,
  { agentId, revision, base, note }: RestoreRevision
): Promise<Agent> {
  return inTransaction(ctx, async tx => {
    const row = await lockAgent(tx, agentId)
    const { config } = await storedRevision(tx, { agentId, revision })
    if (base !== row.revision) throw await supersededError(tx, row, base, 'then restore the version again.')
    if (revision === row.revision) throw invalid(`Version ${revision} is already published.`)
    return publishConfig(tx, row, config, {
      source: 'restore',
      note: note || `Restores version ${revision}.`,
      endsDraft: false
    })
  })
}
