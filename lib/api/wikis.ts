import { cleanText } from '@waystation/base/clean-text.ts'
import { wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { deleteWiki } from '#lib/features/wikis/delete-wiki.ts'
import { exportWiki } from '#lib/features/wikis/export-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { listWikiChanges } from '#lib/features/wikis/list-changes.ts'
import { listTiddlers } from '#lib/features/wikis/list-tiddlers.ts'
import { getWiki, listWikis } from '#lib/features/wikis/list-wikis.ts'
import { readTiddler } from '#lib/features/wikis/read-tiddler.ts'
import { renderWikitext } from '#lib/features/wikis/render-wikitext.ts'
import { undoWikiChange } from '#lib/features/wikis/undo-change.ts'
import { bind } from '#lib/http/endpoint.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { raw } from '#lib/http/raw.ts'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { readInput, readQuery } from '#lib/http/request/read-input.ts'
import { readText } from '#lib/http/request/read-text.ts'
import { attachment } from '#lib/http/response/disposition.ts'
import { inertHeaders } from '#lib/http/response/inert-headers.ts'
import { jsonResponse } from '#lib/http/response/json-response.ts'
import { route } from '#lib/http/route.ts'

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
      return jsonResponse(await importWiki(ctx, input))
    }),
  export: operation =>
    raw(operation, async ({ request, params, ctx }) => {
      const input = await readInput(request, params, operation)
      const headers = {
        ...inertHeaders,
        'content-type': types[input.format],
        'content-disposition': attachment(input.wiki, input.format),
        'cache-control': 'no-store'
      }
      return new Response(await exportWiki(ctx, input), { headers })
    }),
  changes: operation => route(operation, listWikiChanges),
  undo: operation => route(operation, undoWikiChange),
  render: operation => route(operation, renderWikitext)
})
