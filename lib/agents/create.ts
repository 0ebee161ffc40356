import { ApiError } from '@waystation/base/api-error.ts'
import type { Agent, CreateAgent } from '@waystation/protocol/agent/agent.ts'
import { sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { toAgent } from './agent-for.ts'
import { checkModel } from './check-model.ts'
import { checkPrice } from './check-price.ts'
import { checkRunnable } from './resolve-agent.ts'
import { storeRevision } from './store-revision.ts'

/**
 * Creates an agent at revision 1. Throws `CONFLICT` if the ID exists in this workspace, `INVALID_INPUT` if an embed
 * cannot be resolved or no provider offers the model, and `FORBIDDEN` if an editor sets a price.
 */
export function createAgent(ctx: Ctx, config: CreateAgent): Promise<Agent> {
  return inTransaction(ctx, async ctx => {
    checkPrice(ctx, undefined, config)
    await checkModel(ctx, undefined, config)
    await checkRunnable(ctx, config)
    const [row] = await ctx.db
      .insert(agents)
      .values({ workspaceId: ctx.workspaceId, id: config.agentId, config, updatedAt: sql`clock_timestamp()` })
      .onConflictDoNothing()
      .returning()
    if (row === undefined)
      throw new ApiError(
        'CONFLICT',
        `The agent "${config.agentId}" already exists. Choose another ID, or edit that agent.`
      )
    await storeRevision(ctx, row)
    return toAgent(row)
  })
}
