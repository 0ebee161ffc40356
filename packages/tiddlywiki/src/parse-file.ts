import { wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import type { Fields, Tw } from 'tiddlywiki'
import type { ParsedFile, WikiTasks } from './wiki-engine.ts'

const ownFields = new Set(['title', 'text', 'type', 'tags', 'created', 'modified', '__proto__'])

/**
 * Returns whether a tiddler is part of TiddlyWiki itself. Every standalone file contains these, but the
 * server uses its own copy.
 */
const isTiddlyWikiItself = (title: string) =>
  title === '$:/core' || /^\$:\/(boot\/boot|library\/sjcl\.js$|themes\/tiddlywiki\/)/.test(title)

/**
 * Parses a file to rows for storage, or returns null if it is not a TiddlyWiki file. If titles repeat, the
 * last tiddler is used.
 */
export function parseFile($tw: Tw, { type, text, name }: WikiTasks['parse']['ask']): ParsedFile | null {
  const parsed = $tw.wiki.deserializeTiddlers(type, text, type === '.tid' ? { title: name } : {})
  if (type === '.html' && parsed.length === 1 && parsed[0]?.type === 'text/html' && !parsed[0].title)
    return null
  if (parsed.length === 1 && parsed[0]?.title?.startsWith('JSON error: ')) return null
  const rows = new Map<string, object>()
  const skipped = new Map<string, string>()
  for (const fields of parsed) {
    const row = rowOf($tw, fields)
    const reason = skipReason(row, fields)
    if (reason === undefined) rows.set(row.title, row)
    else skipped.set(row.title.slice(0, 200), reason)
  }
  return {
    rows: JSON.stringify([...rows.values()]),
    count: rows.size,
    skipped: [...skipped].slice(0, 100).map(([title, reason]) => ({ title, why: reason })),
    skippedCount: skipped.size
  }
}

function skipReason({ title }: { title: string }, fields: Fields): string | undefined {
  if (title === '') return 'The tiddler has no title.'
  if (isTiddlyWikiItself(title)) return 'The tiddler is part of TiddlyWiki itself.'
  if (title.length > wikiLimits.titleChars)
    return `The title is longer than ${wikiLimits.titleChars} characters.`
  const bytes = Object.values(fields).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > wikiLimits.tiddlerBytes) return 'The tiddler is larger than 1 MiB.'
  return undefined
}

/** Converts a tiddler to the columns of its table. Invalid dates stay unchanged among the other fields. */
function rowOf($tw: Tw, rawFields: Fields) {
  const fields = Object.fromEntries(
    Object.entries(rawFields)
      .filter(([name]) => name !== '__proto__')
      .map(([name, value]) => [storableText(name), storableText(value)])
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

/** Converts TiddlyWiki's YYYYMMDDHHMMSSmmm, which may omit the time or its smaller units, to ISO 8601. */
function dateIn($tw: Tw, text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{8}(\d\d){0,3}(\d{3})?$/.test(text)) return undefined
  const time = $tw.utils.parseDate(text)
  return time === null || Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1
    ? undefined
    : time.toISOString()
}

/** Returns text that Postgres accepts: well-formed and without NUL. */
const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
