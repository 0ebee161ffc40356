import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ListTiddlers, SkinnyTiddler, Tiddler, TiddlerPage } from '#lib/protocol/wiki/wiki.ts'
import { type TiddlerRow, wikiFor, wireSkinny, wireTiddler } from './store.ts'

/** The tiddlers of a wiki that fit, without their text and without those of the system (`$:/…`), a page at a time. */
export async function listTiddlers(ctx: Ctx, asked: ListTiddlers): Promise<TiddlerPage> {
  await wikiFor(ctx, asked.wiki)
  const { sql } = ctx
  const byTime = asked.order === 'modified'
  const rows = await sql<(Pick<TiddlerRow, 'title' | 'tags' | 'modified'> & { total: number })[]>`
    select title, tags, modified, count(*) over ()::int as total from tiddlers
    where ${fitting(ctx, asked)}
    order by ${byTime ? sql`modified desc nulls last, title` : sql`title`}
    limit ${asked.limit} offset ${asked.offset}`
  const total = rows[0]?.total ?? (asked.offset === 0 ? 0 : await countOf(ctx, asked))
  const next = asked.offset + rows.length
  return {
    tiddlers: rows.map(wireSkinny) satisfies SkinnyTiddler[],
    total,
    nextOffset: rows.length > 0 && next < total ? next : null
  }
}

/** Those whose text fits best, with it: a title that has the words comes before a text that has. */
export async function searchTiddlers(
  ctx: Ctx,
  { wiki, search, limit }: { wiki: string; search: string; limit: number }
): Promise<{ tiddlers: Tiddler[]; total: number }> {
  await wikiFor(ctx, wiki)
  const { sql } = ctx
  const rows = await sql<(TiddlerRow & { total: number })[]>`
    select title, text, type, tags, fields, created, modified, revision, count(*) over ()::int as total from tiddlers
    where ${fitting(ctx, { wiki, search })}
    order by title ilike ${containing(search)} desc, modified desc nulls last, title
    limit ${limit}`
  return { tiddlers: rows.map(wireTiddler), total: rows[0]?.total ?? 0 }
}

type Fitting = Pick<ListTiddlers, 'wiki' | 'search' | 'tag' | 'days'>

/** Each word of a search has to stand somewhere. */
function fitting({ sql, workspaceId }: Ctx, { wiki, search = '', tag, days }: Fitting) {
  const words = search
    .split(/\s+/)
    .filter(word => word !== '')
    .slice(0, 10)
  const all = words
    .map(containing)
    .reduce(
      (before, word) =>
        sql`${before} and (title ilike ${word} or text ilike ${word} or tags::text ilike ${word})`,
      sql`not starts_with(title, '$:/')`
    )
  return sql`
    workspace_id = ${workspaceId} and wiki = ${wiki} and ${all}
    ${tag === undefined ? sql`` : sql`and tags ? ${tag}`}
    ${days === undefined ? sql`` : sql`and modified >= clock_timestamp() - make_interval(secs => ${days * 86400})`}`
}

async function countOf(ctx: Ctx, asked: Fitting): Promise<number> {
  const [{ count } = { count: 0 }] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from tiddlers where ${fitting(ctx, asked)}`
  return count
}

/** A pattern of LIKE that finds exactly this text. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
