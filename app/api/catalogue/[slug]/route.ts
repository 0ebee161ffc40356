import { getCatalogueEntry } from '#lib/agents/catalogue/get.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(catalogueOperations.get, getCatalogueEntry)
