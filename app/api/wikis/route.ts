import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { route } from '#lib/http/route.ts'
import { createWiki } from '#lib/wikis/create-wiki.ts'
import { listWikis } from '#lib/wikis/list-wikis.ts'

export const GET = route(wikiOperations.list, listWikis)
export const POST = route(wikiOperations.create, createWiki)
