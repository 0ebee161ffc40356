import { z } from 'zod'

/**
 * An agent's own configuration, as its tool returns it. A proposal must name the revision `base_revision_id` that it is
 * based on.
 */
export const OwnConfig = z.object({
  base_revision_id: z.string(),
  version: z.int(),
  config: z.record(z.string(), z.unknown())
})
export type OwnConfig = z.infer<typeof OwnConfig>

/** The complete configuration that an agent proposes for itself. */
export const CommitRevision = z.strictObject({
  base_revision_id: z.string().min(1).max(100).describe('The base_revision_id that read_config returned.'),
  config: z
    .record(z.string(), z.unknown())
    .describe('The whole configuration that read_config returned, with your change.'),
  note: z.string().trim().max(500).optional().describe('The change and its reason, in one sentence.')
})
export type CommitRevision = z.infer<typeof CommitRevision>

/** Tells pages in the session that a proposal was committed (002-16). `variantId` is the agent's ID. */
export const CommittedRevision = z.object({
  variantId: z.string(),
  revisionId: z.string(),
  version: z.int()
})
export type CommittedRevision = z.infer<typeof CommittedRevision>

/** Returns the revision ID that agents see, such as `guide@4`. */
export const revisionIdOf = (agentId: string, revision: number): string => `${agentId}@${revision}`
