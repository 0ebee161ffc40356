import type { ExportWiki } from '@waystation/protocol/wiki/wiki.ts'
import { valueOrThrow } from '@waystation/tiddlywiki'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { askerOf, tiddlersJson } from './store.ts'

/** Exports a wiki as a file that TiddlyWiki can read: its tiddlers as JSON, or a standalone HTML file. */
export async function exportWiki(ctx: Ctx, { wiki, format }: ExportWiki): Promise<string> {
  const askWiki = await askerOf(ctx, wiki)
  return format === 'json' ? tiddlersJson(ctx, wiki) : valueOrThrow(await askWiki('html', {}))
}
