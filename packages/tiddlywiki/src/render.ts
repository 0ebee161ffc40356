import type { Tw, Widget, Wiki } from 'tiddlywiki'
import { cleanHtml } from './clean-html.ts'
import type { WikiTasks } from './wiki-engine.ts'

/** The maximum size of rendered HTML, in characters. */
const maxChars = 1_000_000

/** Renders a tiddler to sanitized HTML. `home` is the URL of its wiki's page. */
export function renderTiddler($tw: Tw, wiki: Wiki, { title, home }: WikiTasks['tiddler']['ask']): string {
  return cleaned(renderWidgets($tw, wiki, title).html, home)
}

/** Renders wikitext with the global macros of a wiki. Without `home`, links to tiddlers are removed. */
export function renderWikitext(
  $tw: Tw,
  wiki: Wiki,
  { text, title = '', home }: WikiTasks['wikitext']['ask']
): string {
  const children = wiki.parseText('text/vnd.tiddlywiki', text)?.tree ?? []
  const filter = { name: 'filter', type: 'string', value: wiki.getTiddlerText(globalMacros) ?? '' }
  const widget = wiki.makeWidget(
    { tree: [{ type: 'importvariables', attributes: { filter }, isBlock: false, children }] },
    { variables: { currentTiddler: title } }
  )
  const container = $tw.fakeDocument.createElement('div')
  widget.render(container, null)
  return cleaned(container.innerHTML, home, 2)
}

/** Contains TiddlyWiki's own filter for the tiddlers whose macros apply in the whole wiki. */
const globalMacros = '$:/core/config/GlobalImportFilter'

function cleaned(html: string, home: string | undefined, topHeading = 3): string {
  if (html.length > maxChars) throw new Error('the rendered text is too long to show.')
  return cleanHtml(html, home, topHeading)
}

/** Renders a tiddler with the global macros of its wiki. Returns the widgets and the unsanitized HTML. */
export function renderWidgets($tw: Tw, wiki: Wiki, title: string): { widget: Widget; html: string } {
  const widget = wiki.makeTranscludeWidget(title, {
    document: $tw.fakeDocument,
    parseAsInline: false,
    importPageMacros: true,
    recursionMarker: 'no',
    variables: { currentTiddler: title }
  })
  const container = $tw.fakeDocument.createElement('div')
  widget.render(container, null)
  return { widget, html: container.innerHTML }
}
