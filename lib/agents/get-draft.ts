import { and, eq } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { InAgent } from '#lib/protocol/agent/agent.ts'
import type { DraftState } from '#lib/protocol/agent/agent-revision.ts'
import { draftStateOf } from './draft-state.ts'
import { shownTo } from './shown-to.ts'

/** What is prepared for an agent's next revision, if anything is. */
export async function getDraft(ctx: Ctx, input: InAgent): Promise<DraftState> {
  const state = await storedDraft(ctx, input)
  return state.draft === null ? state : shownTo(ctx, state, [state.draft.config])
}

/** The same as it is stored, with every address. */
export async function storedDraft(ctx: Ctx, { agentId }: InAgent): Promise<DraftState> {
  const [row] = await ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.workspaceId, ctx.workspaceId), eq(agents.id, agentId)))
  if (row === undefined) throw notFound('agent', agentId)
  return draftStateOf(row)
}
