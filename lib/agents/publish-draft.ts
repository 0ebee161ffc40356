import { notFound } from '@waystation/base/api-error.ts'
import type { Agent } from '@waystation/protocol/agent/agent.ts'
import type { PublishDraft } from '@waystation/protocol/agent/agent-revision.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { checkVersion, lockAgent } from './draft-state.ts'
import { publishConfig, supersededError } from './publish-config.ts'

/**
 * Publishes an agent's draft as its next revision. Sessions use it from their next step on, unless they are pinned.
 * Throws `CONFLICT` and keeps the draft if another revision was published since `base`, or another draft saved since
 * `version`. Throws `NOT_FOUND` without a draft.
 */
export function publishDraft(ctx: Ctx, { agentId, base, version, note }: PublishDraft): Promise<Agent> {
  return inTransaction(ctx, async tx => {
    const row = await lockAgent(tx, agentId)
    checkVersion(row, version)
    if (row.draft === null) throw notFound('draft of agent', agentId)
    const oldestBase = Math.min(base, row.draftBase ?? base)
    if (oldestBase !== row.revision)
      throw await supersededError(
        tx,
        row,
        oldestBase,
        `save the draft again with "base": ${row.revision}, and publish it.`
      )
    return publishConfig(tx, row, row.draft, { note, endsDraft: true })
  })
}
