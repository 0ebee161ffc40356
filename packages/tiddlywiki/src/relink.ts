import type { ParseNode, Tw, Wiki } from 'tiddlywiki'
import type { WikiTasks } from './wiki-engine.ts'

/**
 * Returns the tiddlers that name a tiddler, with the new title instead: in links, transclusions, tags and lists. Text in
 * macros and filters stays as it is. System tiddlers are left out.
 */
export function relink(
  $tw: Tw,
  wiki: Wiki,
  { from, to, most }: WikiTasks['relink']['ask']
): WikiTasks['relink']['answer'] {
  const tiddlers: WikiTasks['relink']['answer']['tiddlers'] = []
  let total = 0
  for (const title of wiki.allTitles()) {
    const tiddler = wiki.getTiddler(title)
    if (tiddler === undefined || wiki.isSystemTiddler(title)) continue
    const { text = '', type, tags = [], list } = tiddler.fields
    const changed = {
      ...(tags.includes(from) ? { tags: tags.map(tag => (tag === from ? to : tag)) } : {}),
      ...(Array.isArray(list) && list.includes(from)
        ? { list: $tw.utils.stringifyList(list.map(item => (item === from ? to : item))) }
        : {}),
      ...textWith(wiki, text, type || 'text/vnd.tiddlywiki', from, to)
    }
    if (Object.keys(changed).length === 0) continue
    total++
    if (total <= most) tiddlers.push({ title, ...changed })
  }
  return { tiddlers, total }
}

/** Replaces the title in the places that TiddlyWiki's parser found, from the last one to the first. */
function textWith(wiki: Wiki, text: string, type: string, from: string, to: string): { text?: string } {
  if (type !== 'text/vnd.tiddlywiki' || !text.includes(from)) return {}
  const places = new Map<number, { end: number; words: string }>()
  for (const node of nodesIn(wiki.parseText(type, text)?.tree ?? [])) {
    for (const name of node.type === 'image' ? ['source'] : ['to', 'tiddler', '$tiddler']) {
      const { type: kind, value, start, end } = node.attributes?.[name] ?? {}
      if (kind !== 'string' || value !== from || start === undefined || end === undefined) continue
      const before = text.slice(start, end)
      if (node.rule === 'image') {
        // The place starts at the bar after a description.
        const at = start + before.lastIndexOf(from)
        places.set(at, { end: at + from.length, words: to })
        continue
      }
      // A pretty link contains the title alone, and a widget contains the name of the attribute too.
      const space = /^\s*/.exec(before)?.[0] ?? ''
      places.set(start, { end, words: before === from ? to : `${space}${name}="${to}"` })
    }
    const { rule = '', start, end } = node
    if (start === undefined || end === undefined) continue
    if (rule === 'wikilink' && node.attributes?.to?.value === from)
      places.set(start, { end, words: `[[${to}]]` })
    if (!rule.startsWith('transclude')) continue
    const source = text.slice(start, end)
    const words = source.replace(
      /^(\s*\{\{)([^{}|]*)(\|\|[^{}|]+)?/,
      (_, braces, reference, template = '') => {
        const [, title = '', rest = ''] = /^(.*?)((?:!!|##).*)?$/s.exec(reference) ?? []
        return `${braces}${renamed(title, from, to)}${rest}${template && `||${renamed(template.slice(2), from, to)}`}`
      }
    )
    if (words !== source) places.set(start, { end, words })
  }
  if (places.size === 0) return {}
  const fromLast = [...places].sort(([a], [b]) => b - a)
  return {
    text: fromLast.reduce(
      (out, [start, { end, words }]) => out.slice(0, start) + words + out.slice(end),
      text
    )
  }
}

const renamed = (title: string, from: string, to: string) => (title.trim() === from ? to : title)

const nodesIn = (tree: readonly ParseNode[]): ParseNode[] =>
  tree.flatMap(node => [node, ...nodesIn(node.children ?? [])])
