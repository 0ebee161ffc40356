import { join } from 'node:path'
import type { Tw, Wiki } from 'tiddlywiki'

/** The themes that a standalone TiddlyWiki file needs besides the core and its tiddlers. */
const themes = ['vanilla', 'snowwhite']

/** The maximum size of an exported file, in characters. */
const maxChars = 64 * 1024 * 1024

/**
 * Renders the wiki as one HTML file with TiddlyWiki's own template. The file opens in a browser, and
 * TiddlyWiki's tools can read it.
 */
export function exportHtml($tw: Tw, wiki: Wiki): string {
  const output = new $tw.Wiki()
  for (const { tiddlers } of $tw.loadTiddlersFromPath($tw.boot.bootPath)) output.addTiddlers(tiddlers)
  for (const theme of themes)
    output.addTiddler($tw.loadPluginFolder(join($tw.boot.corePath, '../themes/tiddlywiki', theme)))
  for (const title of wiki.allTitles()) {
    const tiddler = wiki.getTiddler(title)
    if (tiddler !== undefined) output.addTiddler(tiddler)
  }
  output.readPluginInfo()
  output.registerPluginTiddlers('plugin')
  output.registerPluginTiddlers('theme')
  output.unpackPluginTiddlers()
  const html = output.renderTiddler('text/plain', '$:/core/save/all').trimStart()
  // A wiki has at most 32 MiB, but its own templates determine the size of the file.
  if (html.length > maxChars) throw new Error('the exported file is too large.')
  return html
}
