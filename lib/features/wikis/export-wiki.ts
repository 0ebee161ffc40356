import type { ExportWiki } from '@waystation/protocol/wiki/wiki.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { valueOrThrow } from './render-result.ts'
import { loadedWikiOf, tiddlersJson, wikiFor } from './store.ts'

/** Exports a wiki as a file that TiddlyWiki can read: its tiddlers as JSON, or a standalone HTML file. */
export async function exportWiki(ctx: Ctx, { wiki, format }: ExportWiki): Promise<string> {
  const row = await wikiFor(ctx, wiki)
  return format === 'json'
    ? tiddlersJson(ctx, wiki)
    : valueOrThrow(await ctx.ports.wikis('html', {}, laneOf(ctx), loadedWikiOf(ctx, row)))
}
