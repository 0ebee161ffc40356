import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(catalogueOperations.list, listCatalogue)
