import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import {
  CreateWiki,
  ExportWiki,
  ImportedWiki,
  ImportWiki,
  InWiki,
  ListTiddlers,
  ListWikis,
  ReadTiddler,
  Rendered,
  RenderedTiddler,
  RenderWikitext,
  TiddlerPage,
  Wiki,
  Wikis,
  WikiWithTags,
  wikiLimits
} from '#lib/protocol/wiki.ts'

export const wikiOperations = {
  list: operation({
    id: 'listWikis',
    method: 'GET',
    path: '/api/wikis',
    summary: 'The wikis of the workspace',
    actor: 'user',
    scope: 'read',
    input: ListWikis,
    answer: Wikis
  }),
  create: operation({
    id: 'createWiki',
    method: 'POST',
    path: '/api/wikis',
    summary: 'A new wiki, with nothing in it',
    actor: 'user',
    scope: 'edit',
    input: CreateWiki,
    answer: Wiki,
    status: 201,
    refusals: ['CONFLICT']
  }),
  get: operation({
    id: 'getWiki',
    method: 'GET',
    path: '/api/wikis/{wiki}',
    summary: 'A wiki and its tags',
    actor: 'user',
    scope: 'read',
    input: InWiki,
    answer: WikiWithTags,
    refusals: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteWiki',
    method: 'DELETE',
    path: '/api/wikis/{wiki}',
    summary: 'Deletes a wiki and all that stands in it',
    actor: 'user',
    scope: 'edit',
    input: InWiki,
    answer: z.object({ name: z.string() }),
    refusals: ['NOT_FOUND']
  }),
  tiddlers: operation({
    id: 'listTiddlers',
    method: 'GET',
    path: '/api/wikis/{wiki}/tiddlers',
    summary:
      'The tiddlers of a wiki that fit a search, a tag or a time, without their text, a page at a time',
    actor: 'user',
    scope: 'read',
    input: ListTiddlers,
    answer: TiddlerPage,
    refusals: ['NOT_FOUND']
  }),
  read: operation({
    id: 'readTiddler',
    method: 'GET',
    path: '/api/wikis/{wiki}/tiddler',
    summary: 'A tiddler, as it is written and as sanitised HTML; `problem` says why there is none',
    actor: 'user',
    scope: 'read',
    input: ReadTiddler,
    answer: RenderedTiddler,
    refusals: ['NOT_FOUND']
  }),
  import: operation({
    id: 'importWiki',
    method: 'POST',
    path: '/api/wikis/{wiki}/import',
    summary:
      'Brings the tiddlers of a TiddlyWiki file (.json, .tid, or a whole .html), which is the body, into a wiki',
    actor: 'user',
    scope: 'edit',
    input: ImportWiki,
    answer: ImportedWiki,
    text: true,
    maxBytes: wikiLimits.importBytes,
    refusals: ['NOT_FOUND', 'TOO_LARGE']
  }),
  export: operation({
    id: 'exportWiki',
    method: 'GET',
    path: '/api/wikis/{wiki}/export',
    summary: 'A wiki as a file: its tiddlers as JSON, or a whole TiddlyWiki in one HTML file',
    actor: 'user',
    scope: 'read',
    input: ExportWiki,
    answer: z.string(),
    plain: true,
    refusals: ['NOT_FOUND']
  }),
  render: operation({
    id: 'renderWikitext',
    method: 'POST',
    path: '/api/sessions/{sessionId}/wikitext',
    summary: 'Wikitext of a transcript as sanitised HTML; it sees no wiki',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: RenderWikitext,
    answer: Rendered,
    refusals: ['NOT_FOUND']
  })
}
