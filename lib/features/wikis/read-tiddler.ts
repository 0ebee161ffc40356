import { ApiError, notFound } from '@waystation/base/api-error.ts'
import type { ReadTiddler, RenderedTiddler, Tiddler } from '@waystation/protocol/wiki/wiki.ts'
import { toRendered } from '@waystation/tiddlywiki'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { askerOf, type TiddlerRow, wireTiddler } from './store.ts'

/** Returns a tiddler's source and its HTML as TiddlyWiki renders it in its wiki. Throws `NOT_FOUND`. */
export async function readTiddler(ctx: Ctx, { wiki, title }: ReadTiddler): Promise<RenderedTiddler> {
  const askWiki = await askerOf(ctx, wiki)
  const tiddler = await tiddlerFor(ctx, { wiki, title })
  return { tiddler, ...toRendered(await askWiki('tiddler', { title, home: `/wikis/${wiki}` })) }
}

/** Does the same as `readTiddler`, but returns undefined if the wiki or the tiddler does not exist. */
export async function findTiddler(ctx: Ctx, input: ReadTiddler): Promise<RenderedTiddler | undefined> {
  try {
    return await readTiddler(ctx, input)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Returns a stored tiddler. Throws `NOT_FOUND`. The caller checks that the wiki exists. */
export async function tiddlerFor(ctx: Ctx, { wiki, title }: ReadTiddler): Promise<Tiddler> {
  const [row] = await ctx.sql<TiddlerRow[]>`
    select title, text, type, tags, fields, created, modified, revision from tiddlers
    where workspace_id = ${ctx.workspaceId} and wiki = ${wiki} and title = ${title}`
  if (row === undefined) throw notFound('tiddler', title)
  return wireTiddler(row)
}
