import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { type Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { toAgent } from './agent-for.ts'
import { checkModel } from './check-model.ts'
import { checkPrice } from './check-price.ts'
import type { AgentRow } from './draft-state.ts'
import { storedRevision } from './get-revision.ts'
import { checkRunnable } from './resolve-agent.ts'
import { type Origin, storeRevision } from './store-revision.ts'

/**
 * Publishes a configuration as an agent's next revision. Needs the lock of the agent's row (`lockAgent`). A
 * configuration from another version of the server is validated again. Throws `INVALID_INPUT` and publishes nothing if
 * it or an embed is no longer valid, or if no provider offers its new model.
 */
export async function publishConfig(
  tx: Ctx,
  row: AgentRow,
  config: unknown,
  { endsDraft, ...origin }: Origin & { endsDraft: boolean }
): Promise<Agent> {
  const valid = await runnableConfig(tx, row, config)
  const [published = row] = await tx.db
    .update(agents)
    .set({
      config: valid,
      revision: sql`revision + 1`,
      updatedAt: sql`clock_timestamp()`,
      ...(endsDraft ? clearedDraft(tx) : {})
    })
    .where(and(eq(agents.workspaceId, row.workspaceId), eq(agents.id, row.id)))
    .returning()
  await storeRevision(tx, published, origin)
  return toAgent(published)
}

/**
 * Returns a configuration of an agent that turns can run, with this caller's permissions. Throws `INVALID_INPUT` if it
 * or an embed is not valid.
 */
export async function runnableConfig(tx: Ctx, row: AgentRow, config: unknown): Promise<AgentConfig> {
  const parsed = AgentConfig.safeParse(config)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? ''
    throw invalid(
      `This configuration is from another version of the server, and "${field}" is no longer valid. Correct it and save it as a draft.`
    )
  }
  checkPrice(tx, row.config, parsed.data)
  await checkModel(tx, row.config, parsed.data)
  await checkRunnable(tx, parsed.data)
  return parsed.data
}

/**
 * Returns the values of an agent's row after its draft was published or discarded. They name the caller, for users who
 * still have the draft open.
 */
export const clearedDraft = (tx: Ctx) => ({
  draft: null,
  draftBase: null,
  draftVersion: sql`draft_version + 1`,
  draftBy: tx.actor.name,
  draftAt: sql`clock_timestamp()`
})

/**
 * Builds the `CONFLICT` error for a change whose base is no longer the published revision. It names the publisher and
 * the next step.
 */
export async function supersededError(tx: Ctx, row: AgentRow, base: number, next: string): Promise<ApiError> {
  const { savedBy, savedAt } = await storedRevision(tx, { agentId: row.id, revision: row.revision })
  return new ApiError(
    'CONFLICT',
    `${savedBy} has published version ${row.revision} of this agent, and your change is based on version ${base}. See the differences (GET /api/agents/${row.id}/diff?from=${base}&to=${row.revision}), ${next}`,
    { newest: { revision: row.revision, by: savedBy, at: savedAt } }
  )
}
