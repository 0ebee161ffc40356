import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { Agent, UpdateAgent } from '#lib/protocol/agent.ts'
import { agentFor, shownAgent } from './agent-for.ts'
import { keepRevision } from './keep-revision.ts'

/** Saves a configuration as the next revision. When the base is not the newest: `409 CONFLICT`, nothing is saved. */
export function updateAgent(ctx: Ctx, { revision, updatedAt: _, ...config }: UpdateAgent): Promise<Agent> {
  return inTransaction(ctx, async ctx => {
    const isBase = and(
      eq(agents.workspaceId, ctx.workspaceId),
      eq(agents.id, config.agentId),
      revision === undefined ? undefined : eq(agents.revision, revision)
    )
    const [row] = await ctx.db
      .update(agents)
      .set({ config, revision: sql`revision + 1`, updatedAt: sql`clock_timestamp()` })
      .where(isBase)
      .returning()
    if (row === undefined) {
      const newest = await agentFor(ctx, config.agentId)
      throw new Refusal(
        'CONFLICT',
        `Somebody saved revision ${newest.revision} of this agent meanwhile; yours began at ${revision}. Load it again, then make your change.`
      )
    }
    await keepRevision(ctx, row)
    return shownAgent(row)
  })
}
