import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { route } from '#lib/http/route.ts'
import { readTiddler } from '#lib/wikis/read-tiddler.ts'

export const GET = route(wikiOperations.read, readTiddler)
