import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { Agent } from '#lib/protocol/agent/agent.ts'

/** An agent of this workspace, as it is configured now. Unknown or another workspace's: `404`. */
export async function agentFor(ctx: Ctx, agentId: string): Promise<Agent> {
  const agent = await agentIfAny(ctx, agentId)
  if (agent === undefined) throw notFound('agent', agentId)
  return agent
}

/** The same, where it may be gone: a session outlives its agent. */
export async function agentIfAny(ctx: Ctx, agentId: string): Promise<Agent | undefined> {
  const [row] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, ctx.workspaceId), eq(agents.id, agentId)))
  return row && shownAgent(row)
}

export const shownAgent = (row: typeof agents.$inferSelect): Agent => ({
  ...row.config,
  revision: row.revision,
  updatedAt: row.updatedAt.toISOString()
})
