import { wikiSearchTool } from '@waystation/protocol/call/tool-names.ts'
import { Time } from '@waystation/protocol/time.ts'
import { SkinnyTiddler } from '@waystation/protocol/wiki/wiki.ts'
import { TiddlerMatch, WikiSearchResult } from '@waystation/protocol/wiki/wiki-search-result.ts'
import {
  WikiBacklinks,
  WikiGetErrors,
  WikiListTiddlers,
  WikiRecent,
  WikiSearch,
  WikiToc
} from '@waystation/protocol/wiki/wiki-tools.ts'
import { z } from 'zod'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { wikiReader } from './wiki-reader.ts'

const readerFor = ({ ctx, call }: ToolRun) => wikiReader(ctx, call.wikis)

/** Common settings of these tools. They change nothing, so they can be repeated. */
const readOnlyTool = { where: 'server', timeout: 60, repeatable: true, readsWikis: true } as const

const hint = (nextOffset: number | null) =>
  nextOffset === null ? {} : { hint: `There are more results: use offset=${nextOffset}.` }

const SearchResult = z.object({
  ...WikiSearchResult.shape,
  tiddlers: z.array(z.object({ ...TiddlerMatch.shape, modified: Time.optional() }))
})

/** The tool that searches a wiki or reads one tiddler (001-12, 001-20). */
export const wikiSearch: Tool<WikiSearch, WikiSearchResult> = {
  ...readOnlyTool,
  name: wikiSearchTool,
  description:
    'Search a wiki of this workspace, or read one of its tiddlers (pages) by title. The text is TiddlyWiki wikitext.',
  input: WikiSearch,
  output: SearchResult,
  title: ({ query, title }) => `Look up ${(title ?? query ?? '').slice(0, 150)}`,
  execute: (input, run) => readerFor(run).search(input)
}

/** The tool that lists the tiddlers that link to a tiddler. */
export const wikiBacklinks: Tool<WikiBacklinks> = {
  ...readOnlyTool,
  name: 'wiki-backlinks',
  description: 'List the tiddlers of a wiki that link to a tiddler.',
  input: WikiBacklinks,
  output: z.object({
    wiki: z.string(),
    title: z.string(),
    total: z.int(),
    backlinks: z.array(z.string()),
    unread: z.array(z.string()).optional()
  }),
  title: ({ title }) => `Find links to ${title.slice(0, 150)}`,
  execute: (input, run) => readerFor(run).backlinks(input)
}

/** The tool that returns the tree of tags. */
export const wikiToc: Tool<WikiToc> = {
  ...readOnlyTool,
  name: 'wiki-toc',
  description:
    'Get the table of contents of a wiki: the tree of its tags, below one tiddler or from the top.',
  input: WikiToc,
  title: ({ title }) => `Contents${title === undefined ? '' : ` of ${title.slice(0, 150)}`}`,
  execute: (input, run) => readerFor(run).toc(input)
}

const Listed = z.object({
  wiki: z.string(),
  total: z.int(),
  tiddlers: z.array(SkinnyTiddler),
  hint: z.string().optional()
})

/** The tool that lists the most recently changed tiddlers. */
export const wikiRecent: Tool<WikiRecent> = {
  ...readOnlyTool,
  name: 'wiki-recent',
  description: 'List the most recently changed tiddlers of a wiki, newest first.',
  input: WikiRecent,
  output: Listed,
  title: () => 'List recent changes',
  async execute({ wiki, limit, daysAgo }, run) {
    const since = daysAgo === undefined ? {} : { days: daysAgo }
    const { nextOffset: _, ...page } = await readerFor(run).list(wiki, {
      order: 'modified',
      offset: 0,
      limit,
      ...since
    })
    return page
  }
}

/** The tool that lists tiddlers page by page, without their text. */
export const wikiListTiddlers: Tool<WikiListTiddlers> = {
  ...readOnlyTool,
  name: 'wiki-list-tiddlers',
  description:
    'List the tiddlers of a wiki by title, with tags and times of change. Use wiki-search to read their text.',
  input: WikiListTiddlers,
  output: Listed,
  title: () => 'List tiddlers',
  async execute({ wiki, tag, offset, limit }, run) {
    const tagFilter = tag === undefined ? {} : { tag }
    const { nextOffset, ...page } = await readerFor(run).list(wiki, {
      order: 'title',
      offset,
      limit,
      ...tagFilter
    })
    return { ...page, ...hint(nextOffset) }
  }
}

/** The tool that renders tiddlers and lists their errors. */
export const wikiGetErrors: Tool<WikiGetErrors> = {
  ...readOnlyTool,
  name: 'wiki-get-errors',
  description:
    'Render tiddlers of a wiki and list their errors: undefined widgets and macros, missing or recursive transclusions, filter errors and dead links.',
  input: WikiGetErrors,
  title: ({ title }) => `Find errors${title === undefined ? '' : ` in ${title.slice(0, 150)}`}`,
  async execute(input, run) {
    const { nextOffset, ...result } = await readerFor(run).errors(input)
    return { ...result, ...hint(nextOffset) }
  }
}
