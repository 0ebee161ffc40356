import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { type ImportedWiki, type ImportWiki, wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import { valueOrThrow } from '@waystation/tiddlywiki'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { wikiFor } from './store.ts'

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
  if (parsed.count > wikiLimits.tiddlers) throw tooMany()
  return inTransaction(ctx, async tx => {
    const [updated] = await tx.sql<{ revision: number }[]>`
      update wikis set revision = revision + 1, changed_at = clock_timestamp()
      where workspace_id = ${ctx.workspaceId} and name = ${wiki} returning revision`
    if (updated === undefined) throw notFound('wiki', wiki)
    const { revision } = updated
    await tx.sql`
      insert into tiddlers (workspace_id, wiki, title, text, type, tags, fields, created, modified, revision)
      select ${ctx.workspaceId}, ${wiki}, title, text, type, tags, fields, created, modified, ${revision}
      from jsonb_to_recordset((${parsed.rows}::text)::jsonb) as t
        (title text, text text, type text, tags jsonb, fields jsonb, created timestamptz, modified timestamptz)
      on conflict (workspace_id, wiki, title) do update set
        text = excluded.text, type = excluded.type, tags = excluded.tags, fields = excluded.fields,
        created = excluded.created, modified = excluded.modified, revision = excluded.revision`
    const [totals] = await tx.sql<{ tiddlers: number; bytes: number }[]>`
      select count(*)::int as tiddlers,
        coalesce(sum(octet_length(text) + octet_length(fields::text)), 0)::bigint as bytes
      from tiddlers where workspace_id = ${ctx.workspaceId} and wiki = ${wiki}`
    if ((totals?.tiddlers ?? 0) > wikiLimits.tiddlers) throw tooMany()
    if ((totals?.bytes ?? 0) > wikiLimits.wikiBytes)
      throw new ApiError(
        'TOO_LARGE',
        `The wiki would be larger than ${wikiLimits.wikiBytes / 2 ** 20} MiB. Nothing was imported.`
      )
    const { count: imported, skipped, skippedCount } = parsed
    return { wiki, revision, imported, skipped, skippedCount }
  })
}

const tooMany = () =>
  new ApiError(
    'TOO_LARGE',
    `The wiki would have more than ${wikiLimits.tiddlers} tiddlers. Nothing was imported.`
  )

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
