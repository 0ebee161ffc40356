import { invalid, notFound } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Variant } from '@waystation/protocol/session/comparison.ts'
import { agentRevisions } from '#db/schema/agents.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type AgentRow, lockAgent } from './draft-state.ts'
import { storedRevision } from './get-revision.ts'
import { runnableConfig } from './publish-config.ts'

/**
 * Returns the number of the revision to pin for a configuration: its own, or that of a snapshot (decision 064). Without
 * `revision`, it is the published one. Call it in the transaction that pins the session. Throws `NOT_FOUND` for an unknown revision and without a draft.
 */
export async function revisionFor(tx: Ctx, agentId: string, { revision, model }: Variant): Promise<number> {
  if (typeof revision === 'number' && model === undefined)
    return (await storedRevision(tx, { agentId, revision })).revision
  // The lock also keeps `deleteSnapshots` from deleting a snapshot that is used again.
  const row = await lockAgent(tx, agentId)
  if (revision === undefined && model === undefined) return row.revision
  const base = await configOf(tx, row, revision)
  if (base.type !== 'chat')
    throw invalid(`${base.displayName} is an external agent. Only drafts of chat agents can run.`)
  if (revision !== 'draft' && base.chat.model === model) return revision ?? row.revision
  const changed = model === undefined ? base : { ...base, chat: { ...base.chat, model } }
  const config = await runnableConfig(tx, row, changed)
  const [equal] = await tx.sql<{ revision: number }[]>`
    select revision from agent_revisions
    where workspace_id = ${tx.workspaceId} and agent_id = ${agentId} and revision < 0 and config = ${config}::jsonb
    order by revision limit 1`
  return equal?.revision ?? storeSnapshot(tx, agentId, config)
}

async function configOf(tx: Ctx, row: AgentRow, revision: Variant['revision']): Promise<AgentConfig> {
  if (revision === undefined) return row.config
  if (revision !== 'draft') return (await storedRevision(tx, { agentId: row.id, revision })).config
  if (row.draft === null) throw notFound('draft of agent', row.id)
  return row.draft
}

/** Stores a snapshot under the next number below zero. Needs the lock of the agent's row. */
async function storeSnapshot(tx: Ctx, agentId: string, config: AgentConfig): Promise<number> {
  const [lowest] = await tx.sql<{ revision: number }[]>`
    select least(min(revision), 0) as revision from agent_revisions
    where workspace_id = ${tx.workspaceId} and agent_id = ${agentId}`
  const revision = (lowest?.revision ?? 0) - 1
  await tx.db.insert(agentRevisions).values({
    workspaceId: tx.workspaceId,
    agentId,
    revision,
    config,
    savedBy: tx.actor.name,
    source: 'trial'
  })
  return revision
}
