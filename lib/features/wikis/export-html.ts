import { join } from 'node:path'
import type { Tw, Wiki } from 'tiddlywiki'

/** What a whole TiddlyWiki in one file needs beside the core and its tiddlers. */
const themes = ['vanilla', 'snowwhite']

/** The most that a file may have, in characters. */
const longest = 64 * 1024 * 1024

/** The wiki as one HTML file that opens in a browser and that TiddlyWiki's own tools read, made by TiddlyWiki's template. */
export function exportHtml($tw: Tw, wiki: Wiki): string {
  const whole = new $tw.Wiki()
  for (const { tiddlers } of $tw.loadTiddlersFromPath($tw.boot.bootPath)) whole.addTiddlers(tiddlers)
  for (const theme of themes)
    whole.addTiddler($tw.loadPluginFolder(join($tw.boot.corePath, '../themes/tiddlywiki', theme)))
  for (const title of wiki.allTitles()) {
    const tiddler = wiki.getTiddler(title)
    if (tiddler !== undefined) whole.addTiddler(tiddler)
  }
  whole.readPluginInfo()
  whole.registerPluginTiddlers('plugin')
  whole.registerPluginTiddlers('theme')
  whole.unpackPluginTiddlers()
  const html = whole.renderTiddler('text/plain', '$:/core/save/all').trimStart()
  // A wiki has at most 32 MiB, but it may say itself how it is written.
  if (html.length > longest) throw new Error('the exported file is too large.')
  return html
}
