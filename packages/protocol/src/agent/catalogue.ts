import { CallWhere } from '@waystation/protocol/call/call.ts'
import { z } from 'zod'
import { ApprovalMode } from './agent.ts'

/**
 * `tool`: can be called. `skill`: a text for the model. `overlay`: tools and skills that a playground adds to an agent.
 */
export const CatalogueKind = z.enum(['tool', 'skill', 'overlay'])

/**
 * Something that a server offers to agents.
 * - `where`: where calls are fulfilled, as in the calls themselves (002-6). Absent if the item cannot be called.
 * - `embeddable`: agents can embed it with `@ag.embed`, as `workflow` with this slug. Tools that the server runs are
 *   enabled by name instead.
 * - `approval`: the default for agents that do not configure it.
 * - `alwaysAsked`: no configuration can turn approval off.
 * - `unavailable`: the reason why this server cannot run it.
 */
export const CatalogueItem = z.object({
  slug: z.string(),
  uri: z.string(),
  kind: CatalogueKind,
  name: z.string(),
  description: z.string(),
  version: z.string().optional(),
  where: CallWhere.optional(),
  approval: ApprovalMode.optional(),
  alwaysAsked: z.literal(true).optional(),
  unavailable: z.string().optional(),
  embeddable: z.boolean()
})
export type CatalogueItem = z.infer<typeof CatalogueItem>

/** An item with its content. The path of an embed's selector starts at `data`. */
export const CatalogueEntry = CatalogueItem.extend({ data: z.record(z.string(), z.unknown()) })
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

export const ListCatalogue = z.object({})
export type ListCatalogue = z.infer<typeof ListCatalogue>

export const InCatalogue = z.object({ slug: z.string().max(256) })
export type InCatalogue = z.infer<typeof InCatalogue>
