import { attachment } from '#lib/http/disposition.ts'
import { bind } from '#lib/http/endpoint.ts'
import { inert } from '#lib/http/inert.ts'
import { jsonAnswer } from '#lib/http/json-answer.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { parseInput } from '#lib/http/parse-input.ts'
import { raw } from '#lib/http/raw.ts'
import { readInput, readQuery } from '#lib/http/read-input.ts'
import { readText } from '#lib/http/read-text.ts'
import { route } from '#lib/http/route.ts'
import { cleanText } from '#lib/kernel/clean-text.ts'
import { wikiLimits } from '#lib/protocol/wiki.ts'
import { renderWikitext } from '#lib/sessions/render-wikitext.ts'
import { createWiki } from '#lib/wikis/create-wiki.ts'
import { deleteWiki } from '#lib/wikis/delete-wiki.ts'
import { exportWiki } from '#lib/wikis/export-wiki.ts'
import { importWiki } from '#lib/wikis/import-wiki.ts'
import { listTiddlers } from '#lib/wikis/list-tiddlers.ts'
import { getWiki, listWikis } from '#lib/wikis/list-wikis.ts'
import { readTiddler } from '#lib/wikis/read-tiddler.ts'

const types = { json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' }

export const wikiEndpoints = bind(wikiOperations, {
  list: operation => route(operation, listWikis),
  create: operation => route(operation, createWiki),
  get: operation => route(operation, getWiki),
  delete: operation => route(operation, deleteWiki),
  tiddlers: operation => route(operation, listTiddlers),
  read: operation => route(operation, readTiddler),
  import: operation =>
    raw(operation, async ({ request, params, ctx }) => {
      const text = cleanText(await readText(request, wikiLimits.importBytes))
      const input = parseInput(operation.input, { ...readQuery(request, params), text })
      return jsonAnswer(await importWiki(ctx, input))
    }),
  export: operation =>
    raw(operation, async ({ request, params, ctx }) => {
      const input = await readInput(request, params, operation)
      const headers = {
        ...inert,
        'content-type': types[input.format],
        'content-disposition': attachment(input.wiki, input.format),
        'cache-control': 'no-store'
      }
      return new Response(await exportWiki(ctx, input), { headers })
    }),
  render: operation => route(operation, renderWikitext)
})
