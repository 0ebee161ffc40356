import type { Wiki } from 'tiddlywiki'
import type { TocNode, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'

/**
 * The tree of tags below a tiddler, or below every tag that has no tag itself: what is tagged with it, in the wiki's own order,
 * `depth` levels deep. A tiddler that stands above itself is not entered again; `more`: there is something below it.
 */
export function tocOf(
  wiki: Wiki,
  { title, depth, most }: WikiTasks['toc']['ask']
): WikiTasks['toc']['answer'] {
  let left = most
  const below = (tag: string) => wiki.getTiddlersWithTag(tag).filter(tagged => !wiki.isSystemTiddler(tagged))
  const nodes = (titles: readonly string[], levels: number, above: readonly string[]): TocNode[] => {
    const made: TocNode[] = []
    for (const one of titles) {
      if (left-- <= 0) break
      const children = above.includes(one) ? [] : below(one)
      if (children.length === 0) made.push({ title: one })
      else if (levels === 1) made.push({ title: one, more: true })
      else made.push({ title: one, children: nodes(children, levels - 1, [...above, one]) })
    }
    return made
  }
  const roots = title === undefined ? topTags(wiki) : below(title)
  const found = nodes(roots, depth, title === undefined ? [] : [title])
  return { nodes: found, cut: left < 0 }
}

function topTags(wiki: Wiki): string[] {
  const tags = Object.keys(wiki.getTagMap()).filter(tag => !tag.startsWith('$:/'))
  return tags.filter(tag => !wiki.getTiddler(tag)?.fields.tags?.length).sort()
}
