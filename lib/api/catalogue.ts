import { archiveCatalogueEntry } from '#lib/agents/catalogue/archive.ts'
import { getCatalogueEntry } from '#lib/agents/catalogue/get.ts'
import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import { createCatalogueEntry, updateCatalogueEntry } from '#lib/agents/catalogue/save.ts'
import { bind } from '#lib/http/endpoint.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { route } from '#lib/http/route.ts'

export const catalogueEndpoints = bind(catalogueOperations, {
  list: operation => route(operation, listCatalogue),
  get: operation => route(operation, getCatalogueEntry),
  create: operation => route(operation, createCatalogueEntry),
  update: operation => route(operation, updateCatalogueEntry),
  archive: operation => route(operation, archiveCatalogueEntry)
})
