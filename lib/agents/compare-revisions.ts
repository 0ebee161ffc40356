import { notFound } from '@waystation/base/api-error.ts'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { CompareRevisions, RevisionComparison } from '@waystation/protocol/agent/agent-revision.ts'
import { diffConfigs } from '@waystation/protocol/agent/config-diff.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { escalationsOf } from './escalations-of.ts'
import { storedDraft } from './get-draft.ts'
import { storedRevision } from './get-revision.ts'
import { redactUrlsFor } from './redact-urls-for.ts'
import { unknownReferences } from './unknown-references.ts'

/**
 * Compares two revisions of an agent, or a revision with the draft. Throws `NOT_FOUND` if one of them does not exist.
 * Warns of things that the later one names and that do not exist.
 */
export async function compareRevisions(
  ctx: Ctx,
  { agentId, from, to }: CompareRevisions
): Promise<RevisionComparison> {
  const { draft, revision: published } = await storedDraft(ctx, { agentId })
  const stateOf = async (name: number | 'draft'): Promise<AgentConfig> => {
    if (name !== 'draft') return (await storedRevision(ctx, { agentId, revision: name })).config
    if (draft === null) throw notFound('draft of agent', agentId)
    return draft.config
  }
  const before = await stateOf(from ?? published)
  const after = await stateOf(to)
  const changes = diffConfigs(before, after)
  const warnings = await unknownReferences(ctx, after)
  const comparison = {
    changes,
    widens: await escalationsOf(ctx, agentId, [before, after], changes),
    ...(warnings.length > 0 && { warnings })
  }
  return redactUrlsFor(ctx, comparison, [before, after])
}
