import type { InAgent } from '@waystation/protocol/agent/agent.ts'
import type { AgentRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { and, desc, eq, gt } from 'drizzle-orm'
import { agentRevisions } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentFor } from './agent-for.ts'
import { toRevision } from './get-revision.ts'
import { redactUrlsFor } from './redact-urls-for.ts'

/** Lists an agent's last 100 published revisions, newest first. Throws `NOT_FOUND` for an unknown agent. */
export async function listRevisions(ctx: Ctx, { agentId }: InAgent): Promise<{ revisions: AgentRevision[] }> {
  await agentFor(ctx, agentId)
  const rows = await ctx.db
    .select()
    .from(agentRevisions)
    .where(
      and(
        eq(agentRevisions.workspaceId, ctx.workspaceId),
        eq(agentRevisions.agentId, agentId),
        gt(agentRevisions.revision, 0)
      )
    )
    .orderBy(desc(agentRevisions.revision))
    .limit(100)
  const revisions = rows.map(toRevision)
  return {
    revisions: redactUrlsFor(
      ctx,
      revisions,
      revisions.map(({ config }) => config)
    )
  }
}
