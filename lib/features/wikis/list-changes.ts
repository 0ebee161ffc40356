import type { ListWikiChanges, WikiChanges } from '@waystation/protocol/wiki/wiki-change.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { changeRows, wireChange } from './change-row.ts'
import { wikiFor } from './store.ts'

/** Returns changes of a wiki by agents, newest first. Throws `NOT_FOUND`. */
export async function listWikiChanges(
  ctx: Ctx,
  { wiki, before, toolCallId, limit }: ListWikiChanges
): Promise<WikiChanges> {
  await wikiFor(ctx, wiki)
  const { sql } = ctx
  const rows = await changeRows(
    ctx,
    sql`k.wiki = ${wiki} ${before === undefined ? sql`` : sql`and k.revision < ${before}`}
      ${toolCallId === undefined ? sql`` : sql`and k.tool_call_id = ${toolCallId}`}
      order by k.revision desc limit ${limit + 1}`
  )
  const changes = rows.slice(0, limit).map(wireChange)
  return { changes, nextBefore: rows.length > limit ? (changes.at(-1)?.revision ?? null) : null }
}
