import { ApiError } from '@waystation/base/api-error.ts'
import type { AgentRevision, InRevision } from '@waystation/protocol/agent/agent-revision.ts'
import { and, eq } from 'drizzle-orm'
import { agentRevisions } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { agentFor } from './agent-for.ts'
import { redactUrlsFor } from './redact-urls-for.ts'

/** Returns one revision of an agent as the caller can see it. Throws `NOT_FOUND` for an unknown agent or revision. */
export async function getRevision(ctx: Ctx, input: InRevision): Promise<AgentRevision> {
  const stored = await storedRevision(ctx, input)
  return redactUrlsFor(ctx, stored, [stored.config])
}

/** Returns a revision as stored, with complete URLs. Throws `NOT_FOUND`. */
export async function storedRevision(ctx: Ctx, { agentId, revision }: InRevision): Promise<AgentRevision> {
  const [row] = await ctx.db
    .select()
    .from(agentRevisions)
    .where(
      and(
        eq(agentRevisions.workspaceId, ctx.workspaceId),
        eq(agentRevisions.agentId, agentId),
        eq(agentRevisions.revision, revision)
      )
    )
  if (row !== undefined) return toRevision(row)
  const newest = await agentFor(ctx, agentId)
  throw new ApiError(
    'NOT_FOUND',
    `The agent "${agentId}" has no version ${revision}. The published version is ${newest.revision}.`
  )
}

/** Converts a revision's row to its public form. */
export const toRevision = (row: typeof agentRevisions.$inferSelect): AgentRevision => ({
  revision: row.revision,
  config: row.config,
  savedBy: row.savedBy,
  savedAt: row.savedAt.toISOString(),
  ...(row.note === null ? {} : { note: row.note }),
  source: row.source
})
