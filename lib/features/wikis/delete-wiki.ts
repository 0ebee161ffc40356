import { notFound } from '@waystation/base/api-error.ts'
import type { InWiki } from '@waystation/protocol/wiki/wiki.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** Deletes a wiki with all its tiddlers. Throws `NOT_FOUND`. */
export async function deleteWiki(ctx: Ctx, { wiki }: InWiki): Promise<{ name: string }> {
  const [deleted] = await ctx.sql`
    delete from wikis where workspace_id = ${ctx.workspaceId} and name = ${wiki} returning name`
  if (deleted === undefined) throw notFound('wiki', wiki)
  return { name: wiki }
}
