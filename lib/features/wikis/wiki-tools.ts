import { z } from 'zod'
import { SkinnyTiddler } from '#lib/protocol/wiki/wiki.ts'
import {
  WikiBacklinks,
  WikiFound,
  WikiGetErrors,
  WikiListTiddlers,
  WikiRecent,
  WikiSearch,
  WikiToc,
  wikiSearchTool
} from '#lib/protocol/wiki/wiki-tools.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { wikiReader } from './wiki-reader.ts'

const readerFor = ({ ctx, call }: ToolRun) => wikiReader(ctx, call.wikis)

/** Looks at a wiki of the workspace and changes nothing: again is harmless. */
const reads = { where: 'server', timeout: 60, repeatable: true, readsWikis: true } as const

const hint = (nextOffset: number | null) =>
  nextOffset === null ? {} : { hint: `There are more results: use offset=${nextOffset}.` }

/** What the wiki says of something (001-12, 001-20). */
export const wikiSearch: Tool<WikiSearch, WikiFound> = {
  ...reads,
  name: wikiSearchTool,
  description:
    'Search a wiki of this workspace, or read one of its tiddlers (pages) by title. The text is TiddlyWiki wikitext.',
  input: WikiSearch,
  output: WikiFound,
  title: ({ query, title }) => `Look up ${(title ?? query ?? '').slice(0, 150)}`,
  execute: (input, run) => readerFor(run).search(input)
}

/** What links to a tiddler. */
export const wikiBacklinks: Tool<WikiBacklinks> = {
  ...reads,
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

/** The tree of tags. */
export const wikiToc: Tool<WikiToc> = {
  ...reads,
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

/** What was changed last. */
export const wikiRecent: Tool<WikiRecent> = {
  ...reads,
  name: 'wiki-recent',
  description: 'List the most recently changed tiddlers of a wiki, newest first.',
  input: WikiRecent,
  output: Listed,
  title: () => 'List recent changes',
  async execute({ wiki, limit, daysAgo }, run) {
    const days = daysAgo === undefined ? {} : { days: daysAgo }
    const { nextOffset: _, ...listed } = await readerFor(run).list(wiki, {
      order: 'modified',
      offset: 0,
      limit,
      ...days
    })
    return listed
  }
}

/** All there are, a page at a time and without their texts. */
export const wikiListTiddlers: Tool<WikiListTiddlers> = {
  ...reads,
  name: 'wiki-list-tiddlers',
  description:
    'List the tiddlers of a wiki by title, with tags and times of change. Use wiki-search to read their text.',
  input: WikiListTiddlers,
  output: Listed,
  title: () => 'List tiddlers',
  async execute({ wiki, tag, offset, limit }, run) {
    const tagged = tag === undefined ? {} : { tag }
    const { nextOffset, ...listed } = await readerFor(run).list(wiki, {
      order: 'title',
      offset,
      limit,
      ...tagged
    })
    return { ...listed, ...hint(nextOffset) }
  }
}

/** What is wrong with it, found by rendering. */
export const wikiGetErrors: Tool<WikiGetErrors> = {
  ...reads,
  name: 'wiki-get-errors',
  description:
    'Render tiddlers of a wiki and list their errors: undefined widgets and macros, missing or recursive transclusions, filter errors and dead links.',
  input: WikiGetErrors,
  title: ({ title }) => `Find errors${title === undefined ? '' : ` in ${title.slice(0, 150)}`}`,
  async execute(input, run) {
    const { nextOffset, ...found } = await readerFor(run).errors(input)
    return { ...found, ...hint(nextOffset) }
  }
}
