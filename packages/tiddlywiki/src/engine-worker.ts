import { parentPort } from 'node:worker_threads'
import type { Tw, Wiki } from 'tiddlywiki'
import { backlinksOf } from './backlinks.ts'
import { boot } from './boot.ts'
import type { FromThread, ToThread } from './engine.ts'
import { exportHtml } from './export-html.ts'
import { findErrors } from './find-errors.ts'
import { parseFile } from './parse-file.ts'
import { relink } from './relink.ts'
import { renderTiddler, renderWikitext } from './render.ts'
import { tocOf } from './toc.ts'
import type { WikiTask, WikiTasks } from './wiki-engine.ts'

/**
 * The most recently used wikis, by key, and the maximum length of their JSON together, in characters. The
 * least recently used is removed first.
 */
const loadedWikis = new Map<string, { wiki: Wiki; size: number }>()
const maxLoadedChars = 64 * 1024 * 1024

const post = (message: FromThread) => parentPort?.postMessage(message)

const $tw = await boot()
/** A wiki that contains only TiddlyWiki itself. */
const emptyWiki = wikiOf($tw, [])

type About = { [Task in WikiTask]: (ask: WikiTasks[Task]['ask'], wiki: Wiki) => WikiTasks[Task]['answer'] }
const tasks: About = {
  parse: ask => parseFile($tw, ask),
  wikitext: (ask, wiki) => renderWikitext($tw, wiki, ask),
  tiddler: (ask, wiki) => renderTiddler($tw, wiki, ask),
  backlinks: (ask, wiki) => backlinksOf(wiki, ask, at => post({ at })),
  toc: (ask, wiki) => tocOf(wiki, ask),
  errors: (ask, wiki) => findErrors($tw, wiki, ask, at => post({ at })),
  filter: ({ filter, most }, wiki) => {
    const titles = wiki.filterTiddlers(filter)
    const [only = ''] = titles.length === 1 ? titles : []
    // TiddlyWiki returns the error of a filter as its only title.
    if (only.startsWith('Filter error: ') && !wiki.tiddlerExists(only)) throw new Error(only)
    return { titles: titles.slice(0, most), total: titles.length }
  },
  relink: (ask, wiki) => relink($tw, wiki, ask),
  html: (_, wiki) => exportHtml($tw, wiki)
}

/** The worker thread of `engine.ts`. It handles one question at a time. */
parentPort?.on('message', (message: ToThread) => {
  try {
    post(answer(message))
  } catch (error) {
    post({
      end: 'failed',
      why: error instanceof Error ? error.message : 'a macro or a transclusion calls itself endlessly.'
    })
  }
})
post('ready')

function answer(message: ToThread): FromThread {
  if ('load' in message) {
    store(message.load, message.tiddlers)
    return { end: 'done', value: null }
  }
  const wiki = message.key === undefined ? emptyWiki : findWiki(message.key)
  if (wiki === undefined) return { end: 'unknown' }
  return { end: 'done', value: tasks[message.task](message.ask as never, wiki) }
}

function findWiki(key: string): Wiki | undefined {
  const entry = loadedWikis.get(key)
  if (entry === undefined) return undefined
  loadedWikis.delete(key)
  loadedWikis.set(key, entry)
  return entry.wiki
}

/** Stores a wiki, and removes older revisions of the same wiki because no question needs them. */
function store(key: string, json: string): void {
  const [id] = key.split('@')
  for (const other of loadedWikis.keys()) if (other.split('@')[0] === id) loadedWikis.delete(other)
  let remaining = maxLoadedChars - json.length
  for (const { size } of loadedWikis.values()) remaining -= size
  for (const [oldest, { size }] of loadedWikis) {
    if (remaining >= 0) break
    loadedWikis.delete(oldest)
    remaining += size
  }
  loadedWikis.set(key, { wiki: wikiOf($tw, JSON.parse(json)), size: json.length })
}

/**
 * Creates a wiki. Because this runs after the boot, script tiddlers are only text here. Macros in wikitext,
 * also those of plugins, still apply.
 */
function wikiOf(tw: Tw, tiddlers: Record<string, string>[]): Wiki {
  const wiki = new tw.Wiki()
  const core = tw.wiki.getTiddler('$:/core')
  if (core === undefined) throw new Error('TiddlyWiki has no core.')
  wiki.addTiddlers(tiddlers)
  wiki.addTiddler(core)
  wiki.readPluginInfo()
  wiki.registerPluginTiddlers('plugin')
  wiki.unpackPluginTiddlers()
  return wiki
}
