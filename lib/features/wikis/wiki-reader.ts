import type { ListTiddlers, Tiddler, TiddlerPage } from '@waystation/protocol/wiki/wiki.ts'
import type { TiddlerMatch, WikiSearchResult } from '@waystation/protocol/wiki/wiki-search-result.ts'
import type {
  WikiBacklinks,
  WikiFilter,
  WikiGetErrors,
  WikiSearch,
  WikiToc
} from '@waystation/protocol/wiki/wiki-tools.ts'
import {
  type TocNode,
  valueOrThrow,
  type WikiTasks,
  wikiBacklinks,
  wikiErrors,
  wikiToc
} from '@waystation/tiddlywiki'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { listTiddlers, searchTiddlers } from './list-tiddlers.ts'
import { tiddlerFor } from './read-tiddler.ts'
import { askerOf } from './store.ts'
import { wikiNameFor } from './wiki-name-for.ts'

/**
 * Reads the wikis that an agent has access to. Methods throw if they cannot answer. The error for an unknown
 * wiki lists the available ones.
 */
type WikiReader = {
  search: (input: WikiSearch) => Promise<WikiSearchResult>
  list: (
    wiki: string | undefined,
    input: Omit<ListTiddlers, 'wiki' | 'search'>
  ) => Promise<TiddlerPage & { wiki: string }>
  backlinks: (
    input: WikiBacklinks
  ) => Promise<{ wiki: string; title: string; total: number; backlinks: string[]; unread?: string[] }>
  toc: (input: WikiToc) => Promise<{ wiki: string; contents: TocNode[]; hint?: string }>
  filter: (input: WikiFilter) => Promise<{ wiki: string; total: number; titles: string[] }>
  errors: (input: WikiGetErrors) => Promise<{ wiki: string } & WikiTasks['errors']['answer']>
}

/** The maximum length of a tiddler's text in characters: in search results, and if it is read by title. */
const maxChars = { found: 2_000, whole: 50_000 }

/** The maximum number of tree nodes and of errors in one result. */
const maxItems = 500

/** The maximum number of titles that a filter returns. */
const maxFiltered = 10_000

/**
 * Returns a reader for an agent's tools. `allowed` restricts it to these wikis, and undefined permits all
 * (001-20).
 */
export function wikiReader(ctx: Ctx, allowed: readonly string[] | undefined): WikiReader {
  const resolveWiki = (name: string | undefined) => wikiNameFor(ctx, allowed, name)
  return {
    async search({ wiki: name, query = '', title, limit }) {
      const wiki = await resolveWiki(name)
      if (title !== undefined) {
        const tiddler = await tiddlerFor(ctx, { wiki, title })
        return { wiki, total: 1, tiddlers: [toTiddlerMatch(tiddler, maxChars.whole)] }
      }
      const { tiddlers, total } = await searchTiddlers(ctx, { wiki, search: query, limit })
      return {
        wiki,
        total,
        tiddlers: tiddlers.map(tiddler => toTiddlerMatch(tiddler, isBinary(tiddler) ? 0 : maxChars.found))
      }
    },
    async list(name, filter) {
      const wiki = await resolveWiki(name)
      return { wiki, ...(await listTiddlers(ctx, { wiki, ...filter })) }
    },
    async backlinks({ wiki: name, title, limit }) {
      const wiki = await resolveWiki(name)
      const { titles, total, unread } = await wikiBacklinks(await askerOf(ctx, wiki), { title, limit })
      return { wiki, title, total, backlinks: titles, ...(unread.length > 0 ? { unread } : {}) }
    },
    async toc({ wiki: name, title, depth }) {
      const wiki = await resolveWiki(name)
      const { nodes, cut } = await wikiToc(await askerOf(ctx, wiki), { title, depth, most: maxItems })
      const note = cut
        ? {
            hint: `These are the first ${maxItems} entries. To see more, start below one of them with title.`
          }
        : {}
      return { wiki, contents: nodes, ...note }
    },
    async filter({ wiki: name, filter }) {
      const wiki = await resolveWiki(name)
      const ask = await askerOf(ctx, wiki)
      return { wiki, ...valueOrThrow(await ask('filter', { filter, most: maxFiltered })) }
    },
    async errors({ wiki: name, title, offset }) {
      const wiki = await resolveWiki(name)
      if (title !== undefined) await tiddlerFor(ctx, { wiki, title })
      return { wiki, ...(await wikiErrors(await askerOf(ctx, wiki), { title, offset, most: maxItems })) }
    }
  }
}

/** The text of such a tiddler is base64, which would fill a prompt. A search by title still returns it. */
const isBinary = ({ type }: Tiddler): boolean =>
  /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(pdf|zip|octet-stream))/.test(type)

/** Returns a tiddler in the form for the model, without empty fields. */
function toTiddlerMatch(
  { title, tags, text, type, fields, modified, revision }: Tiddler,
  chars: number
): TiddlerMatch {
  return {
    title,
    tags,
    ...(modified === undefined ? {} : { modified }),
    text: text.slice(0, chars).toWellFormed(),
    ...(type === '' ? {} : { type }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    revision,
    ...(text.length > chars ? { cut: true } : {})
  }
}
