import { parentPort } from 'node:worker_threads'
import type { Tw, Wiki } from 'tiddlywiki'
import type { WikiTask, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { backlinksOf } from './backlinks.ts'
import { boot } from './boot.ts'
import type { FromThread, ToThread } from './engine.ts'
import { exportHtml } from './export-html.ts'
import { findErrors } from './find-errors.ts'
import { parseFile } from './parse-file.ts'
import { renderTiddler, renderWikitext } from './render.ts'
import { tocOf } from './toc.ts'

/** The wikis that were used lately, and together how many characters of JSON they were at the most; the oldest goes first. */
const kept = new Map<string, { wiki: Wiki; size: number }>()
const keptChars = 64 * 1024 * 1024

const say = (words: FromThread) => parentPort?.postMessage(words)

const $tw = await boot()
/** A wiki of nothing but TiddlyWiki itself. */
const bare = wikiOf($tw, [])

type About = { [Task in WikiTask]: (ask: WikiTasks[Task]['ask'], wiki: Wiki) => WikiTasks[Task]['answer'] }
const tasks: About = {
  parse: ask => parseFile($tw, ask),
  wikitext: ask => renderWikitext($tw, bare, ask),
  tiddler: (ask, wiki) => renderTiddler($tw, wiki, ask),
  backlinks: (ask, wiki) => backlinksOf(wiki, ask, at => say({ at })),
  toc: (ask, wiki) => tocOf(wiki, ask),
  errors: (ask, wiki) => findErrors($tw, wiki, ask, at => say({ at })),
  html: (_, wiki) => exportHtml($tw, wiki)
}

/** The thread of `engine.ts`: one question at a time. */
parentPort?.on('message', (said: ToThread) => {
  try {
    say(answer(said))
  } catch (error) {
    say({
      end: 'failed',
      why: error instanceof Error ? error.message : 'a macro or a transclusion calls itself endlessly.'
    })
  }
})
say('ready')

function answer(said: ToThread): FromThread {
  if ('load' in said) {
    keep(said.load, said.tiddlers)
    return { end: 'done', value: null }
  }
  const wiki = said.key === undefined ? bare : use(said.key)
  if (wiki === undefined) return { end: 'unknown' }
  return { end: 'done', value: tasks[said.task](said.ask as never, wiki) }
}

function use(key: string): Wiki | undefined {
  const known = kept.get(key)
  if (known === undefined) return undefined
  kept.delete(key)
  kept.set(key, known)
  return known.wiki
}

/** An older state of the same wiki goes at once: nobody asks for it any more. */
function keep(key: string, json: string): void {
  const [id] = key.split('@')
  for (const other of kept.keys()) if (other.split('@')[0] === id) kept.delete(other)
  let room = keptChars - json.length
  for (const { size } of kept.values()) room -= size
  for (const [oldest, { size }] of kept) {
    if (room >= 0) break
    kept.delete(oldest)
    room += size
  }
  kept.set(key, { wiki: wikiOf($tw, JSON.parse(json)), size: json.length })
}

/** After the boot: what says that it is a script, or has scripts in it, is text here (a plugin's macros in wikitext count). */
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
