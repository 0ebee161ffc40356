import { z } from 'zod'
import { CatalogueKind } from './catalogue.ts'

/** Searches the catalog for tools and skills that an agent can add to its configuration. */
export const DiscoverCatalogue = z.strictObject({
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Words that the name or the description must contain. Default: all entries.')
})
export type DiscoverCatalogue = z.infer<typeof DiscoverCatalogue>

/** The offers. `value` is what the agent adds to the list `add_to` of its configuration. `more` were left out. */
export const CatalogueOffers = z.object({
  entries: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      kind: CatalogueKind,
      add_to: z.string(),
      value: z.record(z.string(), z.unknown())
    })
  ),
  more: z.int()
})
export type CatalogueOffers = z.infer<typeof CatalogueOffers>
