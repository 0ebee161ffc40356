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
} from '@waystation/protocol/wiki/wiki.ts'
import {
  ListWikiChanges,
  UndoWikiChange,
  WikiChange,
  WikiChanges
} from '@waystation/protocol/wiki/wiki-change.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const wikiOperations = {
  list: operation({
    id: 'listWikis',
    method: 'GET',
    path: '/api/wikis',
    summary: 'List wikis',
    actor: 'user',
    scope: 'read',
    input: ListWikis,
    answer: Wikis
  }),
  create: operation({
    id: 'createWiki',
    method: 'POST',
    path: '/api/wikis',
    summary: 'Create an empty wiki',
    actor: 'user',
    scope: 'edit',
    input: CreateWiki,
    answer: Wiki,
    status: 201,
    errors: ['CONFLICT']
  }),
  get: operation({
    id: 'getWiki',
    method: 'GET',
    path: '/api/wikis/{wiki}',
    summary: 'Get a wiki and its tags',
    actor: 'user',
    scope: 'read',
    input: InWiki,
    answer: WikiWithTags,
    errors: ['NOT_FOUND']
  }),
  delete: operation({
    id: 'deleteWiki',
    method: 'DELETE',
    path: '/api/wikis/{wiki}',
    summary: 'Delete a wiki and its content',
    actor: 'user',
    scope: 'edit',
    input: InWiki,
    answer: z.object({ name: z.string() }),
    errors: ['NOT_FOUND']
  }),
  tiddlers: operation({
    id: 'listTiddlers',
    method: 'GET',
    path: '/api/wikis/{wiki}/tiddlers',
    summary: 'List tiddlers by search, tag or time, without their text',
    actor: 'user',
    scope: 'read',
    input: ListTiddlers,
    answer: TiddlerPage,
    errors: ['NOT_FOUND']
  }),
  read: operation({
    id: 'readTiddler',
    method: 'GET',
    path: '/api/wikis/{wiki}/tiddler',
    summary: 'Get a tiddler as source text and sanitized HTML',
    actor: 'user',
    scope: 'read',
    input: ReadTiddler,
    answer: RenderedTiddler,
    errors: ['NOT_FOUND']
  }),
  import: operation({
    id: 'importWiki',
    method: 'POST',
    path: '/api/wikis/{wiki}/import',
    summary: 'Import tiddlers from a TiddlyWiki file (`.json`, `.tid` or `.html`)',
    actor: 'user',
    scope: 'edit',
    input: ImportWiki,
    answer: ImportedWiki,
    text: true,
    maxBytes: wikiLimits.importBytes,
    errors: ['NOT_FOUND', 'TOO_LARGE']
  }),
  export: operation({
    id: 'exportWiki',
    method: 'GET',
    path: '/api/wikis/{wiki}/export',
    summary: 'Export a wiki as JSON, or as one HTML file',
    actor: 'user',
    scope: 'read',
    input: ExportWiki,
    answer: z.string(),
    plain: true,
    errors: ['NOT_FOUND']
  }),
  changes: operation({
    id: 'listWikiChanges',
    method: 'GET',
    path: '/api/wikis/{wiki}/changes',
    summary: 'List changes of a wiki by agents, newest first',
    actor: 'user',
    scope: 'read',
    input: ListWikiChanges,
    answer: WikiChanges,
    errors: ['NOT_FOUND']
  }),
  undo: operation({
    id: 'undoWikiChange',
    method: 'POST',
    path: '/api/wikis/{wiki}/changes/{changeId}/undo',
    summary: 'Undo a change of a wiki by an agent',
    actor: 'user',
    scope: 'edit',
    input: UndoWikiChange,
    answer: WikiChange,
    errors: ['NOT_FOUND', 'CONFLICT', 'TOO_LARGE']
  }),
  render: operation({
    id: 'renderWikitext',
    method: 'POST',
    path: '/api/sessions/{sessionId}/wikitext',
    summary: 'Render wikitext from a transcript as sanitized HTML, in a wiki of the agent',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: RenderWikitext,
    answer: Rendered,
    errors: ['NOT_FOUND']
  })
}
