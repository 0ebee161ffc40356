import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { LoadedWiki } from '#lib/kernel/ports/wiki-engine.ts'
import { notFound } from '#lib/kernel/refusal.ts'
import type { SkinnyTiddler, Tiddler, Wiki } from '#lib/protocol/wiki/wiki.ts'

/** A wiki as it is stored; times are text as the driver gives them. */
export type WikiRow = Omit<Wiki, 'tiddlers'> & { id: string }

/** A wiki of the caller's workspace, or `404`. */
export async function wikiFor(ctx: Pick<Ctx, 'sql' | 'workspaceId'>, name: string): Promise<WikiRow> {
  const [row] = await ctx.sql<WikiRow[]>`
    select ${wikiColumns(ctx.sql)} from wikis where workspace_id = ${ctx.workspaceId} and name = ${name}`
  if (row === undefined) throw notFound('wiki', name)
  return row
}

/** The columns of a WikiRow, for a `select` or a `returning`. */
export const wikiColumns = (sql: Sql) => sql`
  name, id, revision, created_by, created_at, changed_at`

/** As everybody sees it. */
export const wireWiki = ({ id: _, ...row }: WikiRow & { tiddlers: number }): Wiki => row

/** A tiddler as it is stored; times are text as the driver gives them. */
export type TiddlerRow = Omit<Tiddler, 'created' | 'modified'> & {
  created: string | null
  modified: string | null
}

export const wireTiddler = (row: TiddlerRow): Tiddler => ({
  ...wireSkinny(row),
  text: row.text,
  type: row.type,
  fields: row.fields,
  ...(row.created === null ? {} : { created: row.created }),
  revision: row.revision
})

export const wireSkinny = ({
  title,
  tags,
  modified
}: Pick<TiddlerRow, 'title' | 'tags' | 'modified'>): SkinnyTiddler => ({
  title,
  tags,
  ...(modified === null ? {} : { modified })
})

/** This state of a wiki, for TiddlyWiki. */
export const loaded = (ctx: Ctx, { id, revision, name }: WikiRow): LoadedWiki => ({
  key: `${id}@${revision}`,
  load: () => tiddlersJson(ctx, name)
})

/**
 * All tiddlers of a wiki in TiddlyWiki's own JSON: every field a text, tags in one (those with spaces in double brackets),
 * times as YYYYMMDDHHMMSSmmm. The database writes it, so that nobody waits for this process meanwhile.
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
