import { ApiError, notFound } from '@waystation/base/api-error.ts'
import { wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { TiddlerRow } from './store.ts'

/** A tiddler's new content. Null deletes the tiddler. */
export type TiddlerEdit = { title: string; content: TiddlerRow | null }

/**
 * Starts a change of a wiki and returns its revision. The wiki stays locked until the transaction ends, so changes
 * happen one after the other. Throws `NOT_FOUND`.
 */
export async function nextRevision({ sql, workspaceId }: Ctx, wiki: string): Promise<number> {
  const [updated] = await sql<{ revision: number }[]>`
    update wikis set revision = revision + 1, changed_at = clock_timestamp()
    where workspace_id = ${workspaceId} and name = ${wiki} returning revision`
  if (updated === undefined) throw notFound('wiki', wiki)
  return updated.revision
}

/** Returns the stored tiddlers with these titles. The caller holds the wiki's lock. */
export async function tiddlersFor(
  { sql, workspaceId }: Ctx,
  wiki: string,
  titles: readonly string[]
): Promise<ReadonlyMap<string, TiddlerRow>> {
  const rows = await sql<TiddlerRow[]>`
    select title, text, type, tags, fields, created, modified, revision from tiddlers
    where workspace_id = ${workspaceId} and wiki = ${wiki} and title = any(${[...titles]})`
  return new Map(rows.map(row => [row.title, row]))
}

/** Applies edits. Each tiddler gets the revision of its content. Throws `TOO_LARGE`. */
export async function applyEdits(tx: Ctx, wiki: string, edits: readonly TiddlerEdit[]): Promise<void> {
  const deleted = edits.filter(({ content }) => content === null).map(({ title }) => title)
  await tx.sql`
    delete from tiddlers where workspace_id = ${tx.workspaceId} and wiki = ${wiki} and title = any(${deleted})`
  await storeTiddlers(tx, { wiki, rows: JSON.stringify(edits.flatMap(({ content }) => content ?? [])) })
}

/**
 * Stores tiddlers in JSON, which replace those with the same titles. `revision` is for rows that have none. Throws
 * `TOO_LARGE` if the wiki is then too large.
 */
export async function storeTiddlers(
  { sql, workspaceId }: Ctx,
  { wiki, rows, revision = 0 }: { wiki: string; rows: string; revision?: number }
): Promise<void> {
  await sql`
    insert into tiddlers (workspace_id, wiki, title, text, type, tags, fields, created, modified, revision)
    select ${workspaceId}, ${wiki}, title, text, type, tags, fields, created, modified, coalesce(revision, ${revision})
    from jsonb_to_recordset((${rows}::text)::jsonb) as t (title text, text text, type text, tags jsonb,
      fields jsonb, created timestamptz, modified timestamptz, revision bigint)
    on conflict (workspace_id, wiki, title) do update set
      text = excluded.text, type = excluded.type, tags = excluded.tags, fields = excluded.fields,
      created = excluded.created, modified = excluded.modified, revision = excluded.revision`
  const [totals] = await sql<{ tiddlers: number; bytes: number }[]>`
    select count(*)::int as tiddlers,
      coalesce(sum(octet_length(text) + octet_length(fields::text)), 0)::bigint as bytes
    from tiddlers where workspace_id = ${workspaceId} and wiki = ${wiki}`
  if ((totals?.tiddlers ?? 0) > wikiLimits.tiddlers) throw tooManyTiddlers()
  if ((totals?.bytes ?? 0) > wikiLimits.wikiBytes)
    throw new ApiError(
      'TOO_LARGE',
      `The wiki would be larger than ${wikiLimits.wikiBytes / 2 ** 20} MiB. Nothing was changed.`
    )
}

export const tooManyTiddlers = () =>
  new ApiError(
    'TOO_LARGE',
    `The wiki would have more than ${wikiLimits.tiddlers} tiddlers. Nothing was changed.`
  )
