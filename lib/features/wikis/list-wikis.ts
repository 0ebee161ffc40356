import type { InWiki, Wikis, WikiWithTags } from '@waystation/protocol/wiki/wiki.ts'
import type { Sql } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type WikiRow, wikiColumns, wikiFor, wireWiki } from './store.ts'

/** Returns the wikis of the workspace, ordered by name. */
export async function listWikis(ctx: Ctx, _: object = {}): Promise<Wikis> {
  const rows = await ctx.sql<(WikiRow & { tiddlers: number })[]>`
    select ${wikiColumns(ctx.sql)}, (
      select count(*)::int from tiddlers
      where tiddlers.workspace_id = wikis.workspace_id and wiki = name and not starts_with(title, '$:/')) as tiddlers
    from wikis where workspace_id = ${ctx.workspaceId} order by name`
  return { wikis: rows.map(wireWiki) }
}

/** Returns a wiki with its 200 most used tags. Throws `NOT_FOUND`. */
export async function getWiki(ctx: Ctx, { wiki }: InWiki): Promise<WikiWithTags> {
  const row = await wikiFor(ctx, wiki)
  const [{ tiddlers } = { tiddlers: 0 }] = await ctx.sql<{ tiddlers: number }[]>`
    select count(*)::int as tiddlers from tiddlers
    where workspace_id = ${ctx.workspaceId} and wiki = ${wiki} and not starts_with(title, '$:/')`
  const tags = await ctx.sql<{ tag: string; count: number }[]>`
    select tag, count(*)::int as count from tiddlers, jsonb_array_elements_text(tags) as tag
    where workspace_id = ${ctx.workspaceId} and wiki = ${wiki} and not starts_with(title, '$:/')
    group by tag order by count desc, tag limit 200`
  return { ...wireWiki({ ...row, tiddlers }), tags: [...tags] }
}

/** Returns the names of a workspace's wikis and the number of tiddlers in each, without system tiddlers. */
export const wikisIn = (sql: Sql, workspaceId: string): Promise<{ name: string; tiddlers: number }[]> =>
  sql<{ name: string; tiddlers: number }[]>`
    select name, (
      select count(*)::int from tiddlers
      where tiddlers.workspace_id = wikis.workspace_id and wiki = name and not starts_with(title, '$:/')) as tiddlers
    from wikis where workspace_id = ${workspaceId} order by name`

/** Returns the names of the workspace's wikis, in order. */
export async function listNames(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from wikis where workspace_id = ${ctx.workspaceId} order by name`
  return rows.map(({ name }) => name)
}
