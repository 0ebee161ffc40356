import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { Agent } from '#lib/protocol/agent/agent.ts'
import type { PublishDraft } from '#lib/protocol/agent/agent-revision.ts'
import { checkVersion, lockAgent } from './draft-state.ts'
import { publishConfig, superseded } from './publish-config.ts'

/**
 * Publishes an agent's draft as its next revision: sessions take it at their next step, unless they are pinned. Nothing
 * happens, and the draft stays, when another revision was published since its base, or another draft saved since
 * `version`: `409 CONFLICT`. There is no draft: `404`.
 */
export function publishDraft(ctx: Ctx, { agentId, base, version, note }: PublishDraft): Promise<Agent> {
  return inTransaction(ctx, async tx => {
    const row = await lockAgent(tx, agentId)
    checkVersion(row, version)
    if (row.draft === null) throw notFound('draft of agent', agentId)
    const began = Math.min(base, row.draftBase ?? base)
    if (began !== row.revision)
      throw await superseded(
        tx,
        row,
        began,
        `save the draft again with "base": ${row.revision}, and publish it.`
      )
    return publishConfig(tx, row, row.draft, { note, endsDraft: true })
  })
}
