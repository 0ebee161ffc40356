import type { Wiki } from 'tiddlywiki'
import type { WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'

/** How long it is read at a time, in milliseconds; what is left is for the next question, which goes on from there. */
const budgetMs = 1_000

/** Where each tiddler of a wiki leads, as far as it was read. */
const links = new WeakMap<Wiki, Map<string, ReadonlySet<string>>>()

/**
 * What links to a tiddler, by title; `done: false` when not all of the wiki is read yet. `at` is told each title before it is
 * read, so that whoever waits knows which one does not end; those of `skip` are left out.
 */
export function backlinksOf(
  wiki: Wiki,
  { title, limit, skip }: WikiTasks['backlinks']['ask'],
  at: (title: string) => void
): WikiTasks['backlinks']['answer'] {
  const until = performance.now() + budgetMs
  const read = links.get(wiki) ?? new Map<string, ReadonlySet<string>>()
  links.set(wiki, read)
  const titles: string[] = []
  for (const one of wiki.allTitles()) {
    if (wiki.isSystemTiddler(one) || skip.includes(one)) continue
    let to = read.get(one)
    if (to === undefined) {
      if (performance.now() > until) return { titles: [], total: 0, done: false }
      at(one)
      to = linksIn(wiki, one)
      read.set(one, to)
    }
    if (to.has(title)) titles.push(one)
  }
  titles.sort()
  return { titles: titles.slice(0, limit), total: titles.length, done: true }
}

/** A text that TiddlyWiki gives up on leads nowhere. */
function linksIn(wiki: Wiki, title: string): ReadonlySet<string> {
  const { type, text } = wiki.getTiddler(title)?.fields ?? {}
  try {
    const parser = wiki.parseText(type || 'text/vnd.tiddlywiki', text ?? '')
    return new Set(parser ? wiki.extractLinks(parser.tree) : [])
  } catch {
    return new Set()
  }
}
