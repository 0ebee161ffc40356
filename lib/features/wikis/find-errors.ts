import type { Tw, Widget, Wiki } from 'tiddlywiki'
import type { WikiError, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { widgetsOf } from './render.ts'

/** How long it is looked at a time, in milliseconds; what is left is for the next question. */
const budgetMs = 1_000

const isWikitext = (type: string | undefined) => !type || type === 'text/vnd.tiddlywiki'

/**
 * What is wrong with the tiddlers of a wiki, in the order of their titles from `offset`: each but those of `skip` is rendered
 * and looked through. `at` is told each title before that, so that whoever waits knows which one does not end.
 */
export function findErrors(
  $tw: Tw,
  wiki: Wiki,
  { title, offset, most, skip }: WikiTasks['errors']['ask'],
  at: (title: string) => void
): WikiTasks['errors']['answer'] {
  const until = performance.now() + budgetMs
  const titles = title === undefined ? pages(wiki) : [title]
  const errors: WikiError[] = []
  let next = offset
  while (next < titles.length && errors.length < most && performance.now() < until) {
    const one = titles[next++] as string
    if (skip.includes(one)) continue
    at(one)
    errors.push(...errorsIn($tw, wiki, one))
  }
  return {
    errors,
    checked: Math.max(0, next - offset),
    total: titles.length,
    nextOffset: next < titles.length ? next : null
  }
}

const pages = (wiki: Wiki) =>
  wiki
    .allTitles()
    .filter(title => !wiki.isSystemTiddler(title) && isWikitext(wiki.getTiddler(title)?.fields.type))
    .sort()

function errorsIn($tw: Tw, wiki: Wiki, title: string): WikiError[] {
  const found = new Map<string, WikiError>()
  const add = (kind: WikiError['kind'], detail: string) => {
    if (found.size < 50) found.set(`${kind} ${detail}`, { title, kind, detail: detail.slice(0, 300) })
  }
  try {
    const { widget, html } = widgetsOf($tw, wiki, title)
    look(widget, wiki, add)
    if (html.includes('class="tc-error"'))
      add('recursive-transclusion', 'The tiddler transcludes itself endlessly.')
  } catch (error) {
    add(
      'does-not-render',
      error instanceof Error ? error.message : 'A macro or a transclusion calls itself endlessly.'
    )
  }
  return [...found.values()]
}

type Add = (kind: WikiError['kind'], detail: string) => void

/** One widget, then those in it. What TiddlyWiki's own macros come to is not looked into. */
function look(widget: Widget, wiki: Wiki, add: Add): void {
  const { to, transcludeVariable, transcludeTitle, parseTreeNode } = widget
  const words = parseTreeNode?.type === 'text' ? (parseTreeNode.text ?? '') : ''
  const undefinedWidget = /^Undefined widget '(.*)'$/s.exec(words)?.[1]
  const filterError = [to, words].find(text => text?.startsWith('Filter error: '))
  if (undefinedWidget !== undefined) add('undefined-widget', `<$${undefinedWidget}>`)
  if (filterError !== undefined) add('filter-error', filterError.slice('Filter error: '.length))
  else if (to !== undefined && to !== '' && !exists(wiki, to)) add('missing-link', `[[${to}]]`)
  if (transcludeVariable !== undefined && transcludeVariable !== '') {
    if (widget.getVariableInfo(transcludeVariable).text === undefined)
      add('undefined-macro', `<<${transcludeVariable}>>`)
  } else if (transcludeTitle !== undefined && transcludeTitle !== '' && !exists(wiki, transcludeTitle))
    add('missing-transclusion', `{{${transcludeTitle}}}`)
  for (const child of widget.children ?? []) look(child, wiki, add)
}

const exists = (wiki: Wiki, title: string) => wiki.tiddlerExists(title) || wiki.isShadowTiddler(title)
