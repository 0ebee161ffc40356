import { getCatalogueEntry } from '#lib/agents/catalogue/get.ts'
import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import { bind } from '#lib/http/endpoint.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { route } from '#lib/http/route.ts'

export const catalogueEndpoints = bind(catalogueOperations, {
  list: operation => route(operation, listCatalogue),
  get: operation => route(operation, getCatalogueEntry)
})
