import { notFound } from '@waystation/base/api-error.ts'
import type { InAgent } from '@waystation/protocol/agent/agent.ts'
import type { DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { draftStateOf } from './draft-state.ts'
import { redactUrlsFor } from './redact-urls-for.ts'

/** Returns an agent's draft as the caller can see it, or null as `draft` if there is none. Throws `NOT_FOUND`. */
export async function getDraft(ctx: Ctx, input: InAgent): Promise<DraftState> {
  const state = await storedDraft(ctx, input)
  return state.draft === null ? state : redactUrlsFor(ctx, state, [state.draft.config])
}

/** Returns the draft as stored, with complete URLs. Throws `NOT_FOUND` for an unknown agent. */
export async function storedDraft(ctx: Ctx, { agentId }: InAgent): Promise<DraftState> {
  const [row] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, ctx.workspaceId), eq(agents.id, agentId)))
  if (row === undefined) throw notFound('agent', agentId)
  return draftStateOf(row)
}
