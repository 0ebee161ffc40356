import type { Wiki } from 'tiddlywiki'
import type { WikiTasks } from './wiki-engine.ts'

/** Time per question, in milliseconds. The next question continues where this one stopped. */
const budgetMs = 1_000

/** The links of each tiddler of a wiki, as far as it has been parsed. */
const linksByWiki = new WeakMap<Wiki, Map<string, ReadonlySet<string>>>()

/**
 * Returns the titles of the tiddlers that link to a tiddler. `done: false` means that the wiki is not fully
 * parsed yet. Calls `at` with each title before it is parsed, so that the caller knows which one does not
 * end. Tiddlers in `skip` are left out.
 */
export function backlinksOf(
  wiki: Wiki,
  { title, limit, skip }: WikiTasks['backlinks']['ask'],
  at: (title: string) => void
): WikiTasks['backlinks']['answer'] {
  const until = performance.now() + budgetMs
  const parsed = linksByWiki.get(wiki) ?? new Map<string, ReadonlySet<string>>()
  linksByWiki.set(wiki, parsed)
  const titles: string[] = []
  for (const current of wiki.allTitles()) {
    if (wiki.isSystemTiddler(current) || skip.includes(current)) continue
    let targets = parsed.get(current)
    if (targets === undefined) {
      if (performance.now() > until) return { titles: [], total: 0, done: false }
      at(current)
      targets = linksIn(wiki, current)
      parsed.set(current, targets)
    }
    if (targets.has(title)) titles.push(current)
  }
  titles.sort()
  return { titles: titles.slice(0, limit), total: titles.length, done: true }
}

/** Returns the targets of a tiddler's links. If TiddlyWiki cannot parse its text, there are none. */
function linksIn(wiki: Wiki, title: string): ReadonlySet<string> {
  const { type, text } = wiki.getTiddler(title)?.fields ?? {}
  try {
    const parser = wiki.parseText(type || 'text/vnd.tiddlywiki', text ?? '')
    return new Set(parser ? wiki.extractLinks(parser.tree) : [])
  } catch {
    return new Set()
  }
}
