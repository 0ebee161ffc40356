import { fileRoute } from '#lib/http/file-route.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { exportWiki } from '#lib/wikis/export-wiki.ts'

const types = { json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' }

export const GET = fileRoute(wikiOperations.export, exportWiki, ({ wiki, format }) => ({
  name: `${wiki}.${format}`,
  type: types[format]
}))
