import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TocNode, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { ListTiddlers, Tiddler, TiddlerPage } from '#lib/protocol/wiki/wiki.ts'
import type {
  FoundTiddler,
  WikiBacklinks,
  WikiFound,
  WikiGetErrors,
  WikiSearch,
  WikiToc
} from '#lib/protocol/wiki/wiki-tools.ts'
import { wikiBacklinks, wikiErrors, wikiToc } from './ask-wiki.ts'
import { listTiddlers, searchTiddlers } from './list-tiddlers.ts'
import { listNames } from './list-wikis.ts'
import { tiddlerFor } from './read-tiddler.ts'

/** The wikis of the workspace that the agent may read. Each throws why it cannot answer: an unknown wiki's error names those there are. */
type WikiReader = {
  search: (asked: WikiSearch) => Promise<WikiFound>
  list: (
    wiki: string | undefined,
    asked: Omit<ListTiddlers, 'wiki' | 'search'>
  ) => Promise<TiddlerPage & { wiki: string }>
  backlinks: (
    asked: WikiBacklinks
  ) => Promise<{ wiki: string; title: string; total: number; backlinks: string[]; unread?: string[] }>
  toc: (asked: WikiToc) => Promise<{ wiki: string; contents: TocNode[]; hint?: string }>
  errors: (asked: WikiGetErrors) => Promise<{ wiki: string } & WikiTasks['errors']['answer']>
}

/** How much of a text a search brings, and of one tiddler by its title, in characters. */
const longest = { found: 2_000, whole: 50_000 }

/** The most nodes of a tree, and the most errors, that one call brings. */
const most = 500

/** The wikis of the workspace as an agent's tools read them: all, or those of these names (001-20). */
export function wikiReader(ctx: Ctx, allowed: readonly string[] | undefined): WikiReader {
  /** The one that is meant. What cannot be is the tool's error, which the model reads: it names the wikis there are. */
  const chosen = async (name: string | undefined): Promise<string> => {
    const names = (await listNames(ctx)).filter(one => allowed?.includes(one) ?? true)
    if (names.length === 0) throw new Refusal('NOT_FOUND', 'There is no wiki that you can read.')
    const there = `Available wikis: ${names.join(', ')}.`
    if (name === undefined && names.length > 1) throw new Refusal('INVALID_INPUT', `Name the wiki. ${there}`)
    const found = name === undefined ? names[0] : names.find(one => one === name)
    if (found === undefined) throw new Refusal('NOT_FOUND', `There is no wiki "${name}". ${there}`)
    return found
  }
  return {
    async search({ wiki: name, query = '', title, limit }) {
      const wiki = await chosen(name)
      if (title !== undefined) {
        const tiddler = await tiddlerFor(ctx, { wiki, title })
        return { wiki, total: 1, tiddlers: [told(tiddler, longest.whole)] }
      }
      const { tiddlers, total } = await searchTiddlers(ctx, { wiki, search: query, limit })
      return { wiki, total, tiddlers: tiddlers.map(one => told(one, longest.found)) }
    },
    async list(name, asked) {
      const wiki = await chosen(name)
      return { wiki, ...(await listTiddlers(ctx, { wiki, ...asked })) }
    },
    async backlinks({ wiki: name, title, limit }) {
      const wiki = await chosen(name)
      const { titles, total, unread } = await wikiBacklinks(ctx, wiki, { title, limit })
      return { wiki, title, total, backlinks: titles, ...(unread.length > 0 ? { unread } : {}) }
    },
    async toc({ wiki: name, title, depth }) {
      const wiki = await chosen(name)
      const { nodes, cut } = await wikiToc(ctx, wiki, { title, depth, most })
      const note = cut
        ? { hint: `These are the first ${most} entries. To see more, start below one of them with title.` }
        : {}
      return { wiki, contents: nodes, ...note }
    },
    async errors({ wiki: name, title, offset }) {
      const wiki = await chosen(name)
      if (title !== undefined) await tiddlerFor(ctx, { wiki, title })
      return { wiki, ...(await wikiErrors(ctx, wiki, { title, offset, most })) }
    }
  }
}

/** As the model is told of it, without fields that say nothing. */
function told({ title, tags, text, type, fields, modified }: Tiddler, chars: number): FoundTiddler {
  return {
    title,
    tags,
    ...(modified === undefined ? {} : { modified }),
    text: text.slice(0, chars).toWellFormed(),
    ...(type === '' ? {} : { type }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
    ...(text.length > chars ? { cut: true } : {})
  }
}
