import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { AgentConfig, InAgent } from './agent.ts'
import { Comparison } from './comparison.ts'

const Revision = z.int().min(1)
/** A published revision, or a snapshot that only trials use: a number below zero. */
const AnyRevision = z.int()
const RevisionParam = decimal(z.int().min(1).max(2_147_483_647))
const Note = z.string().trim().max(500).optional()

/**
 * How a revision was created: by an edit, a restored revision, an import from a file, or the agent's own proposal. A
 * `trial` is a snapshot for trial sessions and is never published.
 */
export const RevisionSource = z.enum(['edit', 'restore', 'import', 'agent', 'trial'])
export type RevisionSource = z.infer<typeof RevisionSource>

/** One configuration of an agent: a published one, or a snapshot for trials. A revision never changes. */
export const AgentRevision = z.object({
  revision: AnyRevision,
  config: AgentConfig,
  savedBy: z.string(),
  savedAt: Time,
  note: z.string().optional(),
  source: RevisionSource
})
export type AgentRevision = z.infer<typeof AgentRevision>

/**
 * An agent's unpublished changes. `base` is the revision that the draft changes. `version` counts saves across all
 * drafts of the agent.
 */
export const AgentDraft = z.object({
  config: AgentConfig,
  base: Revision,
  version: z.int().min(1),
  savedBy: z.string(),
  savedAt: Time
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** A configuration names something that does not exist. `field` is its path, such as `chat.handoffs.0`. */
export const AgentWarning = z.object({ field: z.string(), message: z.string() })
export type AgentWarning = z.infer<typeof AgentWarning>

/**
 * The current draft of an agent, or null. `version` is the draft counter and `revision` the published revision. A draft
 * that was just saved can have warnings.
 */
export const DraftState = z.object({
  draft: AgentDraft.nullable(),
  version: z.int().min(0),
  revision: Revision,
  warnings: z.array(AgentWarning).optional()
})
export type DraftState = z.infer<typeof DraftState>

/** `version` is the draft version that the client saw last. Without it, the call overwrites a newer draft. */
export const SaveDraft = InAgent.extend({
  config: AgentConfig,
  base: Revision,
  version: z.int().min(0).optional()
})
export type SaveDraft = z.infer<typeof SaveDraft>

/** Without `version`, discards the draft even if it is newer than the one that the client saw. */
export const DiscardDraft = InAgent.extend({ version: decimal(z.int().min(0)).optional() })
export type DiscardDraft = z.infer<typeof DiscardDraft>

/** `base` is the revision that the reviewed draft changes. `version` is the version of the reviewed draft. */
export const PublishDraft = InAgent.extend({ base: Revision, version: z.int().min(0).optional(), note: Note })
export type PublishDraft = z.infer<typeof PublishDraft>

/** A number below zero is a snapshot, which only trial sessions use. */
export const InRevision = InAgent.extend({
  revision: decimal(z.int().min(-2_147_483_648).max(2_147_483_647))
})
export type InRevision = z.infer<typeof InRevision>

/** `base` is the revision that the caller expects to be published now. */
export const RestoreRevision = InAgent.extend({
  revision: RevisionParam,
  base: Revision,
  note: Note
})
export type RestoreRevision = z.infer<typeof RestoreRevision>

const Compared = z.union([z.literal('draft'), RevisionParam])

/** Two states of an agent to compare. By default: the published revision and the draft. */
export const CompareRevisions = InAgent.extend({ from: Compared.optional(), to: Compared.default('draft') })
export type CompareRevisions = z.infer<typeof CompareRevisions>

/** The differences, and warnings about the later state. */
export const RevisionComparison = z.object({
  ...Comparison.shape,
  warnings: z.array(AgentWarning).optional()
})
export type RevisionComparison = z.infer<typeof RevisionComparison>

/** The agent and revision that a step ran on. */
export const RanOn = z.object({ agentId: z.string(), revision: AnyRevision })
export type RanOn = z.infer<typeof RanOn>

/** A published revision, or `draft`: a snapshot of the draft as it is now. */
export const ChosenRevision = z.union([z.literal('draft'), Revision])
export type ChosenRevision = z.infer<typeof ChosenRevision>

/** Pins a session to a revision from its next step on. Null unpins it: the session then uses the published revision. */
export const PinRevision = z.object({ sessionId: z.string(), revision: ChosenRevision.nullable() })
export type PinRevision = z.infer<typeof PinRevision>

/** `revision` is the one that the session runs on now. It is absent after the agent was deleted. */
export const Pinned = z.object({
  sessionId: z.string(),
  pinnedRevision: AnyRevision.nullable(),
  revision: AnyRevision.optional()
})
export type Pinned = z.infer<typeof Pinned>
