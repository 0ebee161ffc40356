import { z } from 'zod'

/** What an agent reads of its own configuration: `base_revision_id` names the revision, which a proposal begins from. */
export const OwnConfig = z.object({
  base_revision_id: z.string(),
  version: z.int(),
  config: z.record(z.string(), z.unknown())
})
export type OwnConfig = z.infer<typeof OwnConfig>

/** The tool by which an agent proposes a change of its configuration. */
export const commitRevisionTool = 'commit_revision'

/** A whole configuration that an agent proposes for itself, with what it changes and nothing left out. */
export const CommitRevision = z.strictObject({
  base_revision_id: z.string().min(1).max(100).describe('The base_revision_id that read_config returned.'),
  config: z
    .record(z.string(), z.unknown())
    .describe('The whole configuration that read_config returned, with your change.'),
  note: z.string().trim().max(500).optional().describe('The change and its reason, in one sentence.')
})
export type CommitRevision = z.infer<typeof CommitRevision>

/** What every page is told of a revision that was committed (002-16). `variantId`: the agent. */
export const CommittedRevision = z.object({
  variantId: z.string(),
  revisionId: z.string(),
  version: z.int()
})
export type CommittedRevision = z.infer<typeof CommittedRevision>

/** How a revision is named to an agent: `guide@4`. */
export const revisionIdOf = (agentId: string, revision: number): string => `${agentId}@${revision}`
