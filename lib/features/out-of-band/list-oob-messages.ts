import type { ListOobMessages, ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readCursor, writeCursor } from '#lib/kernel/cursor.ts'
import { type RecentOobRow, recentOob, wireRecentOob } from './recent-messages.ts'

const pageSize = 50

/**
 * Returns the out-of-band messages of the workspace, newest first, with receipts. Filters restrict them to
 * one sender and receiver. `cursor` continues after the previous page.
 */
export async function listOobMessages(ctx: Ctx, input: ListOobMessages): Promise<ToldPage> {
  const { hours, to = null, from = null, source = null, sourceId = null, cursor } = input
  const after = cursor === undefined ? null : readCursor(cursor)
  const bySource = source !== null || sourceId !== null
  const rows = await ctx.sql<(RecentOobRow & { cursorAt: string })[]>`
    select *, queued_at::text as cursor_at from ${recentOob(ctx, hours)}
    where (${to}::text is null or "to" = ${to}) and (${from}::text is null or "from" = ${from})
      and (not ${bySource}::boolean or "from" is null)
      and (${source}::text is null or source = ${source}) and (${sourceId}::text is null or source_id = ${sourceId})
      and (${after?.at ?? null}::timestamptz is null
        or (queued_at, id) < (${after?.at ?? null}::timestamptz, ${after?.rest ?? null}::text))
    order by queued_at desc, id desc limit ${pageSize + 1}`
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    messages: page.map(({ cursorAt: _, ...row }) => wireRecentOob(row)),
    nextCursor: rows.length > pageSize && last !== undefined ? writeCursor(last.cursorAt, 0, last.id) : null
  }
}
