import { z } from 'zod'
import { CallWhere } from '#lib/protocol/call/call.ts'
import { ApprovalMode } from './agent.ts'

/** `tool`: may be called; `skill`: a text for the model; `overlay`: what a playground lays over a configuration. */
export const CatalogueKind = z.enum(['tool', 'skill', 'overlay'])

/**
 * What a server has for agents. `where` is the one flag that says where it runs, the same here as in its calls (002-6);
 * what does not run has none. `embeddable`: by `@ag.embed`, as `workflow` with this slug; the tools that the server runs
 * are switched on by their name instead. `approval`: what happens unless the agent says otherwise; `alwaysAsked`: nothing says
 * otherwise. `unavailable`: why this server does not run it.
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

/** The same, whole: `data` is what a selector's path begins at. */
export const CatalogueEntry = CatalogueItem.extend({ data: z.record(z.string(), z.unknown()) })
export type CatalogueEntry = z.infer<typeof CatalogueEntry>

export const ListCatalogue = z.object({})
export type ListCatalogue = z.infer<typeof ListCatalogue>

export const InCatalogue = z.object({ slug: z.string().max(256) })
export type InCatalogue = z.infer<typeof InCatalogue>
