import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { route } from '#lib/http/route.ts'
import { listTiddlers } from '#lib/wikis/list-tiddlers.ts'

export const GET = route(wikiOperations.tiddlers, listTiddlers)
