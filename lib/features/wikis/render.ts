import type { Tw, Widget, Wiki } from 'tiddlywiki'
import type { WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { cleanHtml } from './clean-html.ts'

/** The most that is shown, in characters of HTML. */
const longest = 1_000_000

/** A tiddler as a page shows it; `home`: the address of the page of its wiki. */
export function renderTiddler($tw: Tw, wiki: Wiki, { title, home }: WikiTasks['tiddler']['ask']): string {
  return shown(widgetsOf($tw, wiki, title).html, home)
}

/** Wikitext by itself: its links lead nowhere. */
export function renderWikitext(_: Tw, bare: Wiki, { text }: WikiTasks['wikitext']['ask']): string {
  return shown(bare.renderText('text/html', 'text/vnd.tiddlywiki', text), undefined)
}

function shown(html: string, home: string | undefined): string {
  if (html.length > longest) throw new Error('the rendered text is too long to show.')
  return cleanHtml(html, home)
}

/** What a tiddler comes to, with the macros that its wiki has for all. */
export function widgetsOf($tw: Tw, wiki: Wiki, title: string): { widget: Widget; html: string } {
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
