import { notFound } from '@waystation/base/api-error.ts'
import type { Agent } from '@waystation/protocol/agent/agent.ts'
import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Returns an agent's published configuration. Throws `NOT_FOUND` if it is unknown or in another workspace. */
export async function agentFor(ctx: Ctx, agentId: string): Promise<Agent> {
  const agent = await agentIfAny(ctx, agentId)
  if (agent === undefined) throw notFound('agent', agentId)
  return agent
}

/** Returns an agent's published configuration, or undefined if there is none. A session can outlive its agent. */
export async function agentIfAny(ctx: Ctx, agentId: string): Promise<Agent | undefined> {
  const [row] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, ctx.workspaceId), eq(agents.id, agentId)))
  return row && toAgent(row)
}

/** Converts an agent's row to its public form. */
export const toAgent = (row: typeof agents.$inferSelect): Agent => ({
  ...row.config,
  revision: row.revision,
  updatedAt: row.updatedAt.toISOString()
})
