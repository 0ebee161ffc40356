import { ToolWhere } from '@waystation/protocol/call/call.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import { ApprovalMode, ExternalTool, ReferenceTool } from './agent.ts'

/**
 * `tool`: can be called. `skill`: a text for the model. `overlay`: tools and skills that a playground adds to an agent.
 */
export const CatalogueKind = z.enum(['tool', 'skill', 'overlay'])
export type CatalogueKind = z.infer<typeof CatalogueKind>

/** An agent that uses an entry. `version`: the one that it names. Absent: it follows the newest version. */
export const CatalogueUser = z.object({
  agentId: z.string(),
  displayName: z.string(),
  version: z.string().optional()
})
export type CatalogueUser = z.infer<typeof CatalogueUser>

const Offered = z.object({
  slug: z.string(),
  uri: z.string(),
  kind: CatalogueKind,
  name: z.string(),
  description: z.string(),
  version: z.string().optional(),
  toolName: z.string().optional(),
  where: ToolWhere.optional(),
  approval: ApprovalMode.optional(),
  alwaysAsked: z.literal(true).optional(),
  source: z.string().optional(),
  unavailable: z.string().optional(),
  embeddable: z.boolean(),
  own: z.literal(true).optional(),
  archived: z.literal(true).optional(),
  savedBy: z.string().optional(),
  savedAt: Time.optional()
})

/** The content of an entry. The path of an embed's selector starts at `data`. */
const content = { data: z.record(z.string(), z.unknown()) }

/** An entry without the agents that use it. */
const OfferedEntry = Offered.extend(content)
export type OfferedEntry = z.infer<typeof OfferedEntry>

/**
 * Something that a server or a workspace offers to agents.
 * - `toolName`: the name by which a model calls the tool, unless an agent's embed sets another one.
 * - `where`: where calls are fulfilled, as in the calls themselves (002-6). Absent if the item cannot be called.
 * - `embeddable`: agents can embed it with `@ag.embed`, as `workflow` with this slug. Tools that the server runs are
 *   enabled by name instead.
 * - `approval`: the default for agents that do not configure it.
 * - `alwaysAsked`: no configuration can turn approval off.
 * - `source`: the file or in-process plugin of the operator that defines it. Absent: it is built in, or embeddable.
 * - `unavailable`: the reason why this server cannot run it.
 * - `own`: the workspace added it. `savedBy` and `savedAt` are those of the version.
 * - `archived`: it is no longer offered. Agents that use it are not affected.
 * - `usedBy`: the agents whose published configuration uses it.
 */
export const CatalogueItem = Offered.extend({ usedBy: z.array(CatalogueUser) })
export type CatalogueItem = z.infer<typeof CatalogueItem>

/** An item with its content. */
export const CatalogueEntry = CatalogueItem.extend(content)
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

/** With `archived`, the list includes the workspace's archived entries. */
export const ListCatalogue = z.object({ archived: z.stringbool().optional() })
export type ListCatalogue = z.infer<typeof ListCatalogue>

const slug = z.string().max(256)

/** Selects an entry and optionally one of its versions, such as `v2`. Default: the newest. */
export const InCatalogue = z.object({ slug, version: z.string().max(20).optional() })
export type InCatalogue = z.infer<typeof InCatalogue>

const ownSlug = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(
    /^[a-z0-9][a-z0-9_-]*$/,
    'use only lowercase letters, digits, - and _, and start with a letter or digit'
  )
  .refine(value => value !== 'new', 'is reserved')

const common = {
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000).default('')
}

/** A tool that an external service runs, or that the browser fulfills. Agents that embed it set who can answer. */
const OwnTool = z.discriminatedUnion('where', [
  ExternalTool.omit({ answer: true }),
  ReferenceTool.omit({ answer: true })
])

const toolEntry = {
  kind: z.literal('tool'),
  ...common,
  data: z.strictObject({ parameters: z.strictObject({ tool: OwnTool }) })
}
const skillEntry = {
  kind: z.literal('skill'),
  ...common,
  data: z.strictObject({ parameters: z.strictObject({ text: z.string().trim().min(1).max(50_000) }) })
}

/** An entry that a workspace adds to the catalog. Its texts can contain embeds. */
export const CreateCatalogueEntry = z.discriminatedUnion('kind', [
  z.strictObject({ slug: ownSlug, ...toolEntry }),
  z.strictObject({ slug: ownSlug, ...skillEntry })
])
export type CreateCatalogueEntry = z.infer<typeof CreateCatalogueEntry>

/**
 * The next version of an entry. `base` is the version that the caller read, such as `v1`. Without it, the version is
 * based on the newest one.
 */
const next = { slug, base: z.string().max(20).optional() }
export const UpdateCatalogueEntry = z.discriminatedUnion('kind', [
  z.strictObject({ ...next, ...toolEntry }),
  z.strictObject({ ...next, ...skillEntry })
])
export type UpdateCatalogueEntry = z.infer<typeof UpdateCatalogueEntry>

export const ArchiveCatalogueEntry = z.object({ slug })
export type ArchiveCatalogueEntry = z.infer<typeof ArchiveCatalogueEntry>
