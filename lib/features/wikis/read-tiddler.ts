import type { Ctx } from '#lib/kernel/ctx.ts'
import { notFound, Refusal } from '#lib/kernel/refusal.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import type { ReadTiddler, RenderedTiddler, Tiddler } from '#lib/protocol/wiki/wiki.ts'
import { renderedOr } from './rendered.ts'
import { loaded, type TiddlerRow, wikiFor, wireTiddler } from './store.ts'

/** A tiddler, as it is written and as TiddlyWiki renders it in its wiki. */
export async function readTiddler(ctx: Ctx, { wiki, title }: ReadTiddler): Promise<RenderedTiddler> {
  const of = await wikiFor(ctx, wiki)
  const tiddler = await tiddlerFor(ctx, { wiki, title })
  const asked = { title, home: `/wikis/${wiki}` }
  const answer = await ctx.ports.wikis('tiddler', asked, laneOf(ctx), loaded(ctx, of))
  return { tiddler, ...renderedOr(answer) }
}

/** The same, or undefined where there is no such tiddler: a page says so beside what there is. */
export async function findTiddler(ctx: Ctx, asked: ReadTiddler): Promise<RenderedTiddler | undefined> {
  try {
    return await readTiddler(ctx, asked)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** A tiddler of a wiki that is there, or `404`. */
export async function tiddlerFor(ctx: Ctx, { wiki, title }: ReadTiddler): Promise<Tiddler> {
  const [row] = await ctx.sql<TiddlerRow[]>`
    select title, text, type, tags, fields, created, modified, revision from tiddlers
    where workspace_id = ${ctx.workspaceId} and wiki = ${wiki} and title = ${title}`
  if (row === undefined) throw notFound('tiddler', title)
  return wireTiddler(row)
}
