import type { Wiki } from 'tiddlywiki'
import type { TocNode, WikiTasks } from './wiki-engine.ts'

/**
 * Returns the tree of tags below a tiddler, or below every tag that has no tag itself. Nodes follow the
 * wiki's own order, up to `depth` levels. A tiddler that is its own ancestor has no children, so that the
 * tree ends. `more` means that there are deeper levels.
 */
export function tocOf(
  wiki: Wiki,
  { title, depth, most: maxNodes }: WikiTasks['toc']['ask']
): WikiTasks['toc']['answer'] {
  let remaining = maxNodes
  const taggedWith = (tag: string) =>
    wiki.getTiddlersWithTag(tag).filter(tagged => !wiki.isSystemTiddler(tagged))
  const nodes = (titles: readonly string[], levels: number, ancestors: readonly string[]): TocNode[] => {
    const result: TocNode[] = []
    for (const current of titles) {
      if (remaining-- <= 0) break
      const children = ancestors.includes(current) ? [] : taggedWith(current)
      if (children.length === 0) result.push({ title: current })
      else if (levels === 1) result.push({ title: current, more: true })
      else result.push({ title: current, children: nodes(children, levels - 1, [...ancestors, current]) })
    }
    return result
  }
  const roots = title === undefined ? topTags(wiki) : taggedWith(title)
  const tree = nodes(roots, depth, title === undefined ? [] : [title])
  return { nodes: tree, cut: remaining < 0 }
}

function topTags(wiki: Wiki): string[] {
  const tags = Object.keys(wiki.getTagMap()).filter(tag => !tag.startsWith('$:/'))
  return tags.filter(tag => !wiki.getTiddler(tag)?.fields.tags?.length).sort()
}
