import type { Agent, ListAgents } from '@waystation/protocol/agent/agent.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { toAgent } from './agent-for.ts'
import { redactUrlsFor } from './redact-urls-for.ts'

/** Lists the workspace's agents by display name. */
export async function listAgents(ctx: Ctx, _: ListAgents): Promise<{ agents: Agent[] }> {
  const rows = await ctx.db
    .select()
    .from(agents)
    .where(eq(agents.workspaceId, ctx.workspaceId))
    .orderBy(asc(sql`lower(config->>'displayName')`), asc(agents.id))
  const shown = rows.map(toAgent)
  return { agents: redactUrlsFor(ctx, shown, shown) }
}
