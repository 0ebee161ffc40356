import type { ListTiddlers, SkinnyTiddler, Tiddler, TiddlerPage } from '@waystation/protocol/wiki/wiki.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type TiddlerRow, wikiFor, wireSkinny, wireTiddler } from './store.ts'

/** Returns a page of the tiddlers that match, without their text and without system tiddlers (`$:/…`). */
export async function listTiddlers(ctx: Ctx, input: ListTiddlers): Promise<TiddlerPage> {
  await wikiFor(ctx, input.wiki)
  const { sql } = ctx
  const byTime = input.order === 'modified'
  const rows = await sql<(Pick<TiddlerRow, 'title' | 'tags' | 'modified'> & { total: number })[]>`
    select title, tags, modified, count(*) over ()::int as total from tiddlers
    where ${condition(ctx, input)}
    order by ${byTime ? sql`modified desc nulls last, title` : byTitle(sql)}
    limit ${input.limit} offset ${input.offset}`
  const total = rows[0]?.total ?? (input.offset === 0 ? 0 : await countOf(ctx, input))
  const next = input.offset + rows.length
  return {
    tiddlers: rows.map(wireSkinny) satisfies SkinnyTiddler[],
    total,
    nextOffset: rows.length > 0 && next < total ? next : null
  }
}

/** Returns the tiddlers that match a search, with their text. Matches in titles come before matches in texts. */
export async function searchTiddlers(
  ctx: Ctx,
  { wiki, search, limit }: { wiki: string; search: string; limit: number }
): Promise<{ tiddlers: Tiddler[]; total: number }> {
  await wikiFor(ctx, wiki)
  const { sql } = ctx
  const rows = await sql<(TiddlerRow & { total: number })[]>`
    select title, text, type, tags, fields, created, modified, revision, count(*) over ()::int as total from tiddlers
    where ${condition(ctx, { wiki, search })}
    order by title ilike ${likePattern(search)} desc, modified desc nulls last, title
    limit ${limit}`
  return { tiddlers: rows.map(wireTiddler), total: rows[0]?.total ?? 0 }
}

/** Orders by title, with the first number in it as a number: "Page 2" is before "Page 10". */
const byTitle = (sql: Ctx['sql']) => sql`
  regexp_replace(title, '\\d.*$', ''), substring(title from '\\d{1,15}')::bigint nulls first, title`

type Filter = Pick<ListTiddlers, 'wiki' | 'search' | 'tag' | 'days'>

/** Returns the SQL condition of a filter. Each word of a search must occur in the title, the text or a tag. */
function condition({ sql, workspaceId }: Ctx, { wiki, search = '', tag, days }: Filter) {
  const words = search
    .split(/\s+/)
    .filter(word => word !== '')
    .slice(0, 10)
  const wordConditions = words
    .map(likePattern)
    .reduce(
      (previous, word) =>
        sql`${previous} and (title ilike ${word} or text ilike ${word} or tags::text ilike ${word})`,
      sql`not starts_with(title, '$:/')`
    )
  return sql`
    workspace_id = ${workspaceId} and wiki = ${wiki} and ${wordConditions}
    ${tag === undefined ? sql`` : sql`and tags ? ${tag}`}
    ${days === undefined ? sql`` : sql`and modified >= clock_timestamp() - make_interval(secs => ${days * 86400})`}`
}

async function countOf(ctx: Ctx, filter: Filter): Promise<number> {
  const [{ count } = { count: 0 }] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from tiddlers where ${condition(ctx, filter)}`
  return count
}

/** Returns a LIKE pattern that matches this text literally. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
