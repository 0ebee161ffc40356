import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { type Agent, AgentConfig } from '#lib/protocol/agent/agent.ts'
import { shownAgent } from './agent-for.ts'
import { checkPrice } from './check-price.ts'
import type { AgentRow } from './draft-state.ts'
import { storedRevision } from './get-revision.ts'
import { keepRevision, type Origin } from './keep-revision.ts'
import { checkRunnable } from './resolve-agent.ts'

/**
 * Makes a configuration the next revision of an agent, whose row the caller has locked. What was kept by another version
 * of this server is judged anew: what does not fit any more, and an embed that leads nowhere, is `422 INVALID_INPUT`, and nothing is published.
 */
export async function publishConfig(
  tx: Ctx,
  row: AgentRow,
  config: unknown,
  { endsDraft, ...origin }: Origin & { endsDraft: boolean }
): Promise<Agent> {
  const fitting = AgentConfig.safeParse(config)
  if (!fitting.success) {
    const place = fitting.error.issues[0]?.path.join('.') ?? ''
    throw invalid(
      `This configuration is from another version of the server, and "${place}" is no longer valid. Correct it and save it as a draft.`
    )
  }
  checkPrice(tx, row.config, fitting.data)
  await checkRunnable(tx, fitting.data)
  const [published = row] = await tx.db
    .update(agents)
    .set({
      config: fitting.data,
      revision: sql`revision + 1`,
      updatedAt: sql`clock_timestamp()`,
      ...(endsDraft ? endedDraft(tx) : {})
    })
    .where(and(eq(agents.workspaceId, row.workspaceId), eq(agents.id, row.id)))
    .returning()
  await keepRevision(tx, published, origin)
  return shownAgent(published)
}

/** What stands in an agent's row once its draft was published or thrown away; who did it is kept for whoever had it open. */
export const endedDraft = (tx: Ctx) => ({
  draft: null,
  draftBase: null,
  draftVersion: sql`draft_version + 1`,
  draftBy: tx.actor.name,
  draftAt: sql`clock_timestamp()`
})

/** `409 CONFLICT` for whoever began at a revision that is not the published one any more: who published what, and what to do. */
export async function superseded(tx: Ctx, row: AgentRow, base: number, next: string): Promise<Refusal> {
  const { savedBy, savedAt } = await storedRevision(tx, { agentId: row.id, revision: row.revision })
  return new Refusal(
    'CONFLICT',
    `${savedBy} has published revision ${row.revision} of this agent, and your change is based on revision ${base}. See the differences (GET /api/agents/${row.id}/diff?from=${base}&to=${row.revision}), ${next}`,
    { newest: { revision: row.revision, by: savedBy, at: savedAt } }
  )
}
