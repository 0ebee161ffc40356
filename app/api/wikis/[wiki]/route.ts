import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { route } from '#lib/http/route.ts'
import { deleteWiki } from '#lib/wikis/delete-wiki.ts'
import { getWiki } from '#lib/wikis/list-wikis.ts'

export const GET = route(wikiOperations.get, getWiki)
export const DELETE = route(wikiOperations.delete, deleteWiki)
