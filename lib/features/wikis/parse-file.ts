import type { Fields, Tw } from 'tiddlywiki'
import type { ParsedFile, WikiTasks } from '#lib/kernel/ports/wiki-engine.ts'
import { wikiLimits } from '#lib/protocol/wiki/wiki.ts'

const ownFields = new Set(['title', 'text', 'type', 'tags', 'created', 'modified', '__proto__'])

/** What TiddlyWiki brings itself: every file of a whole wiki has it, and ours is used. */
const isTiddlyWikiItself = (title: string) =>
  title === '$:/core' || /^\$:\/(boot\/boot|library\/sjcl\.js$|themes\/tiddlywiki\/)/.test(title)

/** The tiddlers of a file, as they are to be stored; null when it is none of TiddlyWiki's. Of one title the last counts. */
export function parseFile($tw: Tw, { type, text, name }: WikiTasks['parse']['ask']): ParsedFile | null {
  const found = $tw.wiki.deserializeTiddlers(type, text, type === '.tid' ? { title: name } : {})
  if (type === '.html' && found.length === 1 && found[0]?.type === 'text/html' && !found[0].title) return null
  if (found.length === 1 && found[0]?.title?.startsWith('JSON error: ')) return null
  const rows = new Map<string, object>()
  const skipped = new Map<string, string>()
  for (const fields of found) {
    const row = rowOf($tw, fields)
    const why = reasonAgainst(row, fields)
    if (why === undefined) rows.set(row.title, row)
    else skipped.set(row.title.slice(0, 200), why)
  }
  return {
    rows: JSON.stringify([...rows.values()]),
    count: rows.size,
    skipped: [...skipped].slice(0, 100).map(([title, why]) => ({ title, why })),
    skippedCount: skipped.size
  }
}

function reasonAgainst({ title }: { title: string }, fields: Fields): string | undefined {
  if (title === '') return 'The tiddler has no title.'
  if (isTiddlyWikiItself(title)) return 'The tiddler is part of TiddlyWiki itself.'
  if (title.length > wikiLimits.titleChars)
    return `The title is longer than ${wikiLimits.titleChars} characters.`
  const bytes = Object.values(fields).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > wikiLimits.tiddlerBytes) return 'The tiddler is larger than 1 MiB.'
  return undefined
}

/** A tiddler by the columns of its table. Dates that are none stay as they are written, among the other fields. */
function rowOf($tw: Tw, given: Fields) {
  const fields = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name !== '__proto__')
      .map(([name, value]) => [stored(name), stored(value)])
  )
  const { tags = [] } = new $tw.Tiddler({ tags: fields.tags ?? '' }).fields
  const dates = Object.fromEntries(
    ['created', 'modified'].flatMap(name => {
      const time = dateIn($tw, fields[name])
      return time === undefined ? [] : [[name, time]]
    })
  )
  const isOther = ([name]: [string, string]) =>
    !ownFields.has(name) || (/^(created|modified)$/.test(name) && dates[name] === undefined)
  return {
    title: (fields.title ?? '').trim(),
    text: fields.text ?? '',
    type: fields.type ?? '',
    tags,
    fields: Object.fromEntries(Object.entries(fields).filter(isOther)),
    ...dates
  }
}

/** TiddlyWiki's YYYYMMDDHHMMSSmmm, of which the end may be missing, as ISO 8601. */
function dateIn($tw: Tw, text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{8}(\d\d){0,3}(\d{3})?$/.test(text)) return undefined
  const time = $tw.utils.parseDate(text)
  return time === null || Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1
    ? undefined
    : time.toISOString()
}

/** As Postgres takes it: well-formed, without NUL. */
const stored = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
