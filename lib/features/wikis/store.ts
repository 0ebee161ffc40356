import { notFound } from '@waystation/base/api-error.ts'
import type { SkinnyTiddler, Tiddler, Wiki } from '@waystation/protocol/wiki/wiki.ts'
import type { AskWiki, LoadedWiki } from '@waystation/tiddlywiki'
import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'

/** A wiki as stored. Times are text, as the driver returns them. */
export type WikiRow = Omit<Wiki, 'tiddlers'> & { id: string }

/** Returns a wiki of the caller's workspace. Throws `NOT_FOUND`. */
export async function wikiFor(ctx: Pick<Ctx, 'sql' | 'workspaceId'>, name: string): Promise<WikiRow> {
  const [row] = await ctx.sql<WikiRow[]>`
    select ${wikiColumns(ctx.sql)} from wikis where workspace_id = ${ctx.workspaceId} and name = ${name}`
  if (row === undefined) throw notFound('wiki', name)
  return row
}

/** The columns of a WikiRow, for a `select` or a `returning`. */
export const wikiColumns = (sql: Sql) => sql`
  name, id, revision, created_by, created_at, changed_at`

/** Converts a row to the API's form. */
export const wireWiki = ({ id: _, ...row }: WikiRow & { tiddlers: number }): Wiki => row

/** A tiddler as stored. Times are text, as the driver returns them. */
export type TiddlerRow = Omit<Tiddler, 'created' | 'modified'> & {
  created: string | null
  modified: string | null
}

/** Converts a row to a tiddler in the API's form. */
export const wireTiddler = (row: TiddlerRow): Tiddler => ({
  ...wireSkinny(row),
  text: row.text,
  type: row.type,
  fields: row.fields,
  ...(row.created === null ? {} : { created: row.created }),
  revision: row.revision
})

/** Converts a row to a tiddler without its text, for lists. */
export const wireSkinny = ({
  title,
  tags,
  modified
}: Pick<TiddlerRow, 'title' | 'tags' | 'modified'>): SkinnyTiddler => ({
  title,
  tags,
  ...(modified === null ? {} : { modified })
})

/**
 * Returns a function that asks TiddlyWiki about the current revision of a wiki. Throws `NOT_FOUND`.
 */
export async function askerOf(ctx: Ctx, wiki: string): Promise<AskWiki> {
  const loaded = await loadedWiki(ctx, wiki)
  return (task, ask) => ctx.ports.wikis(task, ask, laneOf(ctx), loaded)
}

/** Returns the current revision of a wiki for TiddlyWiki, which loads its content on demand. Throws `NOT_FOUND`. */
export async function loadedWiki(ctx: Ctx, wiki: string): Promise<LoadedWiki> {
  const { id, revision } = await wikiFor(ctx, wiki)
  return { key: `${id}@${revision}`, load: () => tiddlersJson(ctx, wiki) }
}

/**
 * Returns all tiddlers of a wiki in TiddlyWiki's own JSON. Every field is text: tags are one string (those
 * with spaces in double brackets), and times are YYYYMMDDHHMMSSmmm. Postgres builds the JSON, so that this
 * process stays responsive.
 */
export async function tiddlersJson(ctx: Ctx, wiki: string): Promise<string> {
  const [row] = await ctx.sql<{ tiddlers: string | null }[]>`
    select json_agg(fields || jsonb_strip_nulls(jsonb_build_object(
      'title', title,
      'text', text,
      'type', nullif(type, ''),
      'tags', (
        select string_agg(case when tag ~ '\\s' then '[[' || tag || ']]' else tag end, ' ' order by place)
        from jsonb_array_elements_text(tags) with ordinality as tag (tag, place)),
      'created', to_char(created at time zone 'UTC', 'YYYYMMDDHH24MISSMS'),
      'modified', to_char(modified at time zone 'UTC', 'YYYYMMDDHH24MISSMS')
    )) order by title)::text as tiddlers
    from tiddlers where workspace_id = ${ctx.workspaceId} and wiki = ${wiki}`
  return row?.tiddlers ?? '[]'
}
