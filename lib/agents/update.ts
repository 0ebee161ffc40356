import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { Agent, UpdateAgent } from '@waystation/protocol/agent/agent.ts'
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentFor, toAgent } from './agent-for.ts'
import { checkModel } from './check-model.ts'
import { checkPrice } from './check-price.ts'
import { lockAgent } from './draft-state.ts'
import { checkRunnable } from './resolve-agent.ts'
import { storeRevision } from './store-revision.ts'

/**
 * Saves a configuration as the next revision. If it throws, nothing is saved:
 * - `CONFLICT`: the base is not the newest revision
 * - `INVALID_INPUT`: an embed cannot be resolved, no provider offers the new model, or the type changes. Existing sessions depend on the type.
 * - `FORBIDDEN`: an editor changes the price
 */
export function updateAgent(
  ctx: Ctx,
  { revision, updatedAt: _, additional_context: __, ...config }: UpdateAgent
): Promise<Agent> {
  return inTransaction(ctx, async ctx => {
    // The lock keeps other callers from changing the price in between.
    const before = (await lockAgent(ctx, config.agentId)).config
    checkPrice(ctx, before, config)
    await checkModel(ctx, before, config)
    await checkRunnable(ctx, config)
    const isBase = and(
      eq(agents.workspaceId, ctx.workspaceId),
      eq(agents.id, config.agentId),
      revision === undefined ? undefined : eq(agents.revision, revision)
    )
    const [row] = await ctx.db
      .update(agents)
      .set({ config, revision: sql`revision + 1`, updatedAt: sql`clock_timestamp()` })
      .where(and(isBase, sql`config ->> 'type' = ${config.type}`))
      .returning()
    if (row === undefined) {
      const newest = await agentFor(ctx, config.agentId)
      if (newest.type !== config.type)
        throw invalid(
          `You cannot change the type of an agent ("${config.agentId}" has the type ${newest.type}). Create another agent.`,
          {
            type: `must be ${newest.type}`
          }
        )
      throw new ApiError(
        'CONFLICT',
        `Someone else has saved version ${newest.revision} of this agent, and your change is based on version ${revision}. Reload the agent and make your change again.`
      )
    }
    await storeRevision(ctx, row)
    return toAgent(row)
  })
}
