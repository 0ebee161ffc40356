import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { Time } from '#lib/protocol/time.ts'
import { AgentConfig, InAgent } from './agent.ts'

const Revision = z.int().min(1)
const RevisionParam = decimal(z.int().min(1).max(2_147_483_647))
const Note = z.string().trim().max(500).optional()

/** How a revision came: somebody's edit, an earlier one restored, a file, or the agent's own proposal. */
export const RevisionSource = z.enum(['edit', 'restore', 'import', 'agent'])
export type RevisionSource = z.infer<typeof RevisionSource>

/** One configuration that an agent has had. It never changes. */
export const AgentRevision = z.object({
  revision: Revision,
  config: AgentConfig,
  savedBy: z.string(),
  savedAt: Time,
  note: z.string().optional(),
  source: RevisionSource
})
export type AgentRevision = z.infer<typeof AgentRevision>

/** `base`: the revision that it changes. `version` counts saves of the draft, over every draft that the agent has had. */
export const AgentDraft = z.object({
  config: AgentConfig,
  base: Revision,
  version: z.int().min(1),
  savedBy: z.string(),
  savedAt: Time
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** What is prepared for an agent's next revision: nothing, or a draft. `revision` is the published one. */
export const DraftState = z.object({
  draft: AgentDraft.nullable(),
  version: z.int().min(0),
  revision: Revision
})
export type DraftState = z.infer<typeof DraftState>

/** `version`: the one that was seen last; without it a newer draft is replaced unseen. */
export const SaveDraft = InAgent.extend({
  config: AgentConfig,
  base: Revision,
  version: z.int().min(0).optional()
})
export type SaveDraft = z.infer<typeof SaveDraft>

export const DiscardDraft = InAgent.extend({ version: decimal(z.int().min(0)).optional() })
export type DiscardDraft = z.infer<typeof DiscardDraft>

/** `base`: the revision that the draft was looked at over. `version`: the draft that was looked at. */
export const PublishDraft = InAgent.extend({ base: Revision, version: z.int().min(0).optional(), note: Note })
export type PublishDraft = z.infer<typeof PublishDraft>

export const InRevision = InAgent.extend({ revision: RevisionParam })
export type InRevision = z.infer<typeof InRevision>

/** `base`: the revision that is published now, as far as the caller knows. */
export const RestoreRevision = InRevision.extend({ base: Revision, note: Note })
export type RestoreRevision = z.infer<typeof RestoreRevision>

const Compared = z.union([z.literal('draft'), RevisionParam])

/** Two states of an agent; without them, what its draft changes of the published revision. */
export const CompareRevisions = InAgent.extend({ from: Compared.optional(), to: Compared.default('draft') })
export type CompareRevisions = z.infer<typeof CompareRevisions>

/**
 * One difference between two configurations. `path` names the place by fields, and by identity in a list (a tool by its
 * name, a starter by its label). `moved`: a list has its items in another order; `before` and `after` name them.
 */
export const ConfigChange = z.object({
  path: z.array(z.string()),
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  before: z.unknown().optional(),
  after: z.unknown().optional()
})
export type ConfigChange = z.infer<typeof ConfigChange>

/** `widens`: what of it lets the agent do more, a sentence each. */
export const Comparison = z.object({ changes: z.array(ConfigChange), widens: z.array(z.string()) })
export type Comparison = z.infer<typeof Comparison>

/** What a step ran on. */
export const RanOn = z.object({ agentId: z.string(), revision: Revision })
export type RanOn = z.infer<typeof RanOn>

/** The revision that a session is to run on from its next step; null: the published one, whichever that is. */
export const PinRevision = z.object({ sessionId: z.string(), revision: Revision.nullable() })
export type PinRevision = z.infer<typeof PinRevision>

/** `revision`: what it runs on now; absent once the agent is gone. */
export const Pinned = z.object({
  sessionId: z.string(),
  pinnedRevision: Revision.nullable(),
  revision: Revision.optional()
})
export type Pinned = z.infer<typeof Pinned>
