import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { uploadRoute } from '#lib/http/upload-route.ts'
import { importWiki } from '#lib/wikis/import-wiki.ts'

export const POST = uploadRoute(wikiOperations.import, importWiki)
