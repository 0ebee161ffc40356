import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { newId } from '@waystation/base/ids.ts'
import { type CreateWiki, type Wiki, wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { type WikiRow, wikiColumns, wireWiki } from './store.ts'

/**
 * Creates an empty wiki. Throws `CONFLICT` if the name is taken, and `INVALID_INPUT` if the workspace has too
 * many wikis.
 */
export async function createWiki(ctx: Ctx, { name }: CreateWiki): Promise<Wiki> {
  return inTransaction(ctx, async tx => {
    const [{ count } = { count: 0 }] = await tx.sql<{ count: number }[]>`
      select count(*)::int as count from wikis where workspace_id = ${ctx.workspaceId}`
    if (count >= wikiLimits.wikis)
      throw invalid(`A workspace can have up to ${wikiLimits.wikis} wikis. Delete one first.`)
    const [row] = await tx.sql<WikiRow[]>`
      insert into wikis (workspace_id, name, id, created_by, created_at, changed_at)
      values (${ctx.workspaceId}, ${name}, ${newId('wiki')}, ${ctx.actor.name}, clock_timestamp(), clock_timestamp())
      on conflict do nothing
      returning ${wikiColumns(tx.sql)}`
    if (row === undefined)
      throw new ApiError('CONFLICT', `A wiki named "${name}" already exists. Choose another name.`)
    return wireWiki({ ...row, tiddlers: 0 })
  })
}
