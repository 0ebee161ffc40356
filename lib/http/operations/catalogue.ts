import {
  CatalogueEntry,
  CatalogueItem,
  InCatalogue,
  ListCatalogue
} from '@waystation/protocol/agent/catalogue.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const catalogueOperations = {
  list: operation({
    id: 'listCatalogue',
    method: 'GET',
    path: '/api/catalogue',
    summary: 'List the catalog: tools, skills and the build kit',
    actor: 'user',
    scope: 'read',
    input: ListCatalogue,
    answer: z.object({ entries: z.array(CatalogueItem) })
  }),
  get: operation({
    id: 'getCatalogueEntry',
    method: 'GET',
    path: '/api/catalogue/{slug}',
    summary: 'Get a catalog entry',
    actor: 'user',
    scope: 'read',
    input: InCatalogue,
    answer: CatalogueEntry,
    errors: ['NOT_FOUND']
  })
}
