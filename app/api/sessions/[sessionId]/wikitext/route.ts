import { preflight } from '#lib/http/cors.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { route } from '#lib/http/route.ts'
import { renderWikitext } from '#lib/sessions/render-wikitext.ts'

export const POST = route(wikiOperations.render, renderWikitext)
export const OPTIONS = preflight
