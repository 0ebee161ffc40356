import type { Tw, Widget, Wiki } from 'tiddlywiki'
import { renderWidgets } from './render.ts'
import type { WikiError, WikiTasks } from './wiki-engine.ts'

/** Time per question, in milliseconds. The next question continues where this one stopped. */
const budgetMs = 1_000

const isWikitext = (type: string | undefined) => !type || type === 'text/vnd.tiddlywiki'

/**
 * Renders the tiddlers of a wiki and returns their errors, in the order of their titles from `offset`. Calls
 * `at` with each title before it is rendered, so that the caller knows which one does not end. Tiddlers in
 * `skip` are left out.
 */
export function findErrors(
  $tw: Tw,
  wiki: Wiki,
  { title, offset, most: maxErrors, skip }: WikiTasks['errors']['ask'],
  at: (title: string) => void
): WikiTasks['errors']['answer'] {
  const until = performance.now() + budgetMs
  const titles = title === undefined ? pages(wiki) : [title]
  const errors: WikiError[] = []
  let next = offset
  while (next < titles.length && errors.length < maxErrors && performance.now() < until) {
    const current = titles[next++] as string
    if (skip.includes(current)) continue
    at(current)
    errors.push(...errorsIn($tw, wiki, current))
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
  const errors = new Map<string, WikiError>()
  const add = (kind: WikiError['kind'], detail: string) => {
    if (errors.size < 50) errors.set(`${kind} ${detail}`, { title, kind, detail: detail.slice(0, 300) })
  }
  try {
    const { widget, html } = renderWidgets($tw, wiki, title)
    checkWidget(widget, wiki, add)
    if (html.includes('class="tc-error"'))
      add('recursive-transclusion', 'The tiddler transcludes itself endlessly.')
  } catch (error) {
    add(
      'does-not-render',
      error instanceof Error ? error.message : 'A macro or a transclusion calls itself endlessly.'
    )
  }
  return [...errors.values()]
}

type Add = (kind: WikiError['kind'], detail: string) => void

/** Checks a widget, then its children. The output of TiddlyWiki's own macros is not checked. */
function checkWidget(widget: Widget, wiki: Wiki, add: Add): void {
  const { to, transcludeVariable, transcludeTitle, parseTreeNode } = widget
  const text = parseTreeNode?.type === 'text' ? (parseTreeNode.text ?? '') : ''
  const undefinedWidget = /^Undefined widget '(.*)'$/s.exec(text)?.[1]
  const filterError = [to, text].find(value => value?.startsWith('Filter error: '))
  if (undefinedWidget !== undefined) add('undefined-widget', `<$${undefinedWidget}>`)
  if (filterError !== undefined) add('filter-error', filterError.slice('Filter error: '.length))
  else if (to !== undefined && to !== '' && !exists(wiki, to)) add('missing-link', `[[${to}]]`)
  if (transcludeVariable !== undefined && transcludeVariable !== '') {
    if (widget.getVariableInfo(transcludeVariable).text === undefined)
      add('undefined-macro', `<<${transcludeVariable}>>`)
  } else if (transcludeTitle !== undefined && transcludeTitle !== '' && !exists(wiki, transcludeTitle))
    add('missing-transclusion', `{{${transcludeTitle}}}`)
  for (const child of widget.children ?? []) checkWidget(child, wiki, add)
}

const exists = (wiki: Wiki, title: string) => wiki.tiddlerExists(title) || wiki.isShadowTiddler(title)
