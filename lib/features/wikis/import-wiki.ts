import { invalid } from '@waystation/base/api-error.ts'
import { type ImportedWiki, type ImportWiki, wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import { valueOrThrow } from '@waystation/tiddlywiki'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { wikiFor } from './store.ts'
import { nextRevision, storeTiddlers, tooManyTiddlers } from './store-tiddlers.ts'

/**
 * Imports the tiddlers of a file into a wiki: `.json`, `.tid`, or a standalone `.html` file. Existing
 * tiddlers with the same titles are replaced. Invalid tiddlers are skipped and listed. If the wiki would
 * become too large, nothing is imported and it throws `TOO_LARGE`.
 */
export async function importWiki(ctx: Ctx, { wiki, file, text }: ImportWiki): Promise<ImportedWiki> {
  await wikiFor(ctx, wiki)
  const type = typeOf(file, text)
  const name = (file ?? '').replace(/^.*[\\/]/, '').replace(/\.tid$/i, '')
  const parsed = valueOrThrow(await ctx.ports.wikis('parse', { type, text, name }, laneOf(ctx)))
  if (parsed === null)
    throw invalid(`This is not a TiddlyWiki ${type} file, or the file is encrypted. Nothing was imported.`)
  if (parsed.count > wikiLimits.tiddlers) throw tooManyTiddlers()
  return inTransaction(ctx, async tx => {
    const revision = await nextRevision(tx, wiki)
    await storeTiddlers(tx, { wiki, rows: parsed.rows, revision })
    const { count: imported, skipped, skippedCount } = parsed
    return { wiki, revision, imported, skipped, skippedCount }
  })
}

/** Returns the type by the file's extension, or without one by the first character of its content. */
function typeOf(file: string | undefined, text: string): '.json' | '.tid' | '.html' {
  const ending = /\.(json|tid|html?)$/i.exec(file ?? '')?.[1]?.toLowerCase()
  if (ending === 'json' || ending === 'tid') return `.${ending}`
  if (ending !== undefined) return '.html'
  if (file !== undefined && /\.[a-z0-9]+$/i.test(file))
    throw invalid('Only .json, .tid and .html files of TiddlyWiki can be imported.')
  const first = text.trimStart().slice(0, 1)
  return first === '<' ? '.html' : first === '[' || first === '{' ? '.json' : '.tid'
}
