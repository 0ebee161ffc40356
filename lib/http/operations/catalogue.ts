import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { CatalogueEntry, CatalogueItem, InCatalogue, ListCatalogue } from '#lib/protocol/catalogue.ts'

export const catalogueOperations = {
  list: operation({
    id: 'listCatalogue',
    method: 'GET',
    path: '/api/catalogue',
    summary:
      'Everything that this server has for agents: tools, skills and the build kit, and where each runs',
    actor: 'user',
    scope: 'read',
    input: ListCatalogue,
    answer: z.object({ entries: z.array(CatalogueItem) })
  }),
  get: operation({
    id: 'getCatalogueEntry',
    method: 'GET',
    path: '/api/catalogue/{slug}',
    summary: 'One entry of the catalogue, whole',
    actor: 'user',
    scope: 'read',
    input: InCatalogue,
    answer: CatalogueEntry,
    refusals: ['NOT_FOUND']
  })
}
